import type { Database } from '@zonewright/database';
import { RR_TYPE, typeNumber } from '@zonewright/dns-records';
import {
  type CanonicalKey,
  type ChainPlace,
  countToSign,
  type NameContent,
  planSigning,
  type SignedRecord,
  type TouchedName,
  wasCut,
} from '@zonewright/dns-records/dnssec';
import { ServiceError } from '@zonewright/service-kit';
import type { RrsetToSign, ZoneSigner } from '../transactions/zone-signer.js';
import { listHostedBelow, listOwnerNames, listOwnerNamesBelow } from './owner-name-store.js';
import { readNames } from './read-names.js';
import {
  deleteSignedNames,
  listKeysAfter,
  listKeysBelow,
  listPlaces,
  type SignedName,
  writeSignedNames,
} from './signed-name-store.js';
import type { ZoneToSign } from './signing-store.js';
import type { SigningState } from '../rows/signing-state.js';
import {
  keyOfName,
  nameOfRow,
  readZoneBeingSigned,
  type ZoneBeingSigned,
} from './zone-being-signed.js';

/**
 * Names at which something else stands than before, with the types of which; 'all': all signatures of the name are made anew. The
 * apex, whose SOA changes with each serial, is always among them. 'everything': every name, say because the TTL of the zone changed.
 */
export type TouchedNames = ReadonlyMap<string, ReadonlySet<string> | 'all'> | 'everything';

interface StepToSign {
  /** Held, with the serial that it has after the step. */
  readonly zone: ZoneToSign;
  readonly state: SigningState;
  readonly touched: TouchedNames;
  readonly signer: ZoneSigner;
}

/** One transaction signs no more: who waits for the zone waits for it. */
const MAX_SIGNATURES = 200_000;
/** One question to the signer has no more records. */
const ITEMS_AT_ONCE = 2_000;

/**
 * Signs what a change of some names means for a zone, in the transaction of the change, whose rows are written.
 *
 * @returns the keys of the rows that were written and removed, and about how many octets that makes the database write
 * @throws ServiceError `over-quota` or, when the signer is away, `unavailable`
 */
export async function signStep(
  trx: Database,
  { zone, state, touched, signer }: StepToSign,
): Promise<{ keys: CanonicalKey[]; octets: number }> {
  const being = await readZoneBeingSigned(trx, zone, state);
  const names = await expandTouched(trx, being, touched);
  names.set(zone.name, typesOfApex(names.get(zone.name)));
  const plan = planSigning({
    apex: being.apexName,
    nsecTtl: being.nsecTtl,
    touched: await readTouched(trx, being, names),
  });
  requireFew(countToSign(plan), zone);
  const signatures = await signAll(
    zone.id,
    signer,
    plan.writes.flatMap(({ owner, toSign }) => toSign.map((rrset) => ({ owner, rrset }))),
  );
  let next = 0;
  const rows = plan.writes.map(({ key, records, toSign }): SignedName => {
    const fresh = toSign.flatMap((rrset): SignedRecord[] =>
      (signatures[next++] ?? []).map((rdata) => ({ type: RR_TYPE.RRSIG, ttl: rrset.ttl, rdata })),
    );
    return { key, records: [...records, ...fresh] };
  });
  await deleteSignedNames(trx, zone.id, plan.removals);
  const octets = await writeSignedNames(trx, zone.id, rows);
  return { keys: [...rows.map(({ key }) => key), ...plan.removals], octets };
}

type NamesToSign = Map<string, ReadonlySet<number> | 'all'>;

function typesOfApex(
  touched: ReadonlySet<number> | 'all' = new Set(),
): ReadonlySet<number> | 'all' {
  return touched === 'all' ? 'all' : new Set([...touched, RR_TYPE.SOA]);
}

async function expandTouched(
  trx: Database,
  being: ZoneBeingSigned,
  touched: TouchedNames,
): Promise<NamesToSign> {
  if (touched === 'everything') {
    const limit = MAX_SIGNATURES + 1;
    const names = [
      ...(await listOwnerNames(trx, being.zone.id, null, limit)),
      ...(await listHostedBelow(trx, being.zone.name)),
      ...(await listKeysAfter(trx, being.zone.id, undefined, limit)).map((key) =>
        nameOfRow(being, key),
      ),
    ];
    requireFew(names.length / 2, being.zone);
    return new Map(names.map((name) => [name, 'all']));
  }
  return new Map(
    [...touched].map(([name, types]) => [
      name,
      types === 'all' ? 'all' : new Set([...types].map((type) => typeNumberOf(type))),
    ]),
  );
}

/** With the names below those at which the zone begins or ceases to end. */
async function readTouched(
  trx: Database,
  being: ZoneBeingSigned,
  names: NamesToSign,
): Promise<TouchedName[]> {
  const touched: TouchedName[] = [];
  let wanted: NamesToSign = names;
  const seen = new Set<CanonicalKey>();
  while (wanted.size > 0) {
    const read = await readOnce(trx, being, wanted);
    const fresh = read.filter(({ place }) => !seen.has(place.key));
    for (const one of fresh) {
      seen.add(one.place.key);
      touched.push(one);
    }
    requireFew(touched.length, being.zone);
    const below = await listNamesBelowChangedCuts(trx, being, fresh);
    wanted = new Map(
      below.filter((name) => !seen.has(keyOfName(being, name))).map((name) => [name, 'all']),
    );
  }
  return touched;
}

async function readOnce(
  trx: Database,
  being: ZoneBeingSigned,
  names: NamesToSign,
): Promise<TouchedName[]> {
  const keys = [...names].map(([name, types]) => ({ name, types, key: keyOfName(being, name) }));
  const places = await listPlaces(
    trx,
    being.zone.id,
    keys.map(({ key }) => key),
  );
  const contents = await readNames(trx, being, [...names.keys()]);
  const byKey = new Map(places.map((place) => [place.key, place]));
  return keys.flatMap(({ name, types, key }): TouchedName[] => {
    const place = byKey.get(key);
    if (place === undefined) return [];
    return [{ place, content: contents.get(name), changedTypes: types }];
  });
}

async function listNamesBelowChangedCuts(
  trx: Database,
  being: ZoneBeingSigned,
  touched: readonly TouchedName[],
): Promise<string[]> {
  const names: string[] = [];
  for (const { place, content } of touched) {
    if (isCutNow(content) === wasCut(place.key, place.records ?? [])) continue;
    for (const name of await listNamesBelow(trx, being, place)) names.push(name);
  }
  return names;
}

async function listNamesBelow(
  trx: Database,
  being: ZoneBeingSigned,
  { key }: ChainPlace,
): Promise<string[]> {
  const name = nameOfRow(being, key);
  const inChain = await listKeysBelow(trx, being.zone.id, key, MAX_SIGNATURES + 1);
  return [
    ...inChain.map((each) => nameOfRow(being, each)),
    ...(await listOwnerNamesBelow(trx, being.zone.id, name, MAX_SIGNATURES + 1)),
    ...(await listHostedBelow(trx, name)),
  ];
}

function isCutNow(content: NameContent | undefined): boolean {
  return content?.isCut === true;
}

async function signAll(
  zoneId: string,
  signer: ZoneSigner,
  items: readonly RrsetToSign[],
): Promise<(readonly Uint8Array[])[]> {
  const signatures: (readonly Uint8Array[])[] = [];
  for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
    const part = items.slice(at, at + ITEMS_AT_ONCE);
    const signed = await signer.sign(zoneId, part);
    if (signed.length !== part.length || signed.some(({ length }) => length === 0)) {
      throw new ServiceError('unavailable', 'The signer has not signed all of it; try again.');
    }
    for (const each of signed) signatures.push(each);
  }
  return signatures;
}

function requireFew(count: number, { name }: ZoneToSign): void {
  if (count <= MAX_SIGNATURES) return;
  throw new ServiceError(
    'over-quota',
    `The change needs more than ${MAX_SIGNATURES} signatures of ${JSON.stringify(name)}, which is signed; make it in smaller parts.`,
  );
}

function typeNumberOf(type: string): number {
  const number = typeNumber(type);
  if (number === undefined) throw new Error(`There is no record type ${type}.`);
  return number;
}
