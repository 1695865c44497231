import type { Database } from '@zonewright/database';
import { nameToWire, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import {
  type CanonicalKey,
  type ChainPosition,
  countToSign,
  hidNames,
  planSigning,
  type SignedRecord,
  type TouchedName,
} from '@zonewright/dns-records/dnssec';
import { ServiceError } from '@zonewright/service-kit';
import { octetsToSign, type RrsetToSign, type ZoneSigner } from '../request/unit-of-work.js';
import { listHostedBelow, listOwnerNames, listOwnerNamesBelow } from './owner-name-store.js';
import { readNames, type ReadSigningSet, type UnwrittenRecords } from './read-names.js';
import { listKeysAfter, listKeysBelow, type SignedName } from './signed-name-store.js';
import type { UsedKey } from './signing-ground-store.js';
import type { ZoneToSign } from './signing-store.js';
import type { SigningState } from '../rows/signing-state.js';
import { keyOfName, nameOfRow, type ZoneBeingSigned } from './zone-being-signed.js';
import { keyVersion } from '../rows/signing-state.js';

/**
 * Names with the types that changed at each. 'all' means every signature of the name. The apex is always included,
 * since its SOA changes with each serial.
 */
export type NamesWithTypes = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

/**
 * All names, for example because the TTL of the zone changed. In a large zone, only the names of `now` are signed in
 * the changeset.
 */
export interface EveryName {
  readonly now: NamesWithTypes;
}

export type TouchedNames = NamesWithTypes | EveryName;

export function isEveryName(touched: TouchedNames): touched is EveryName {
  return 'now' in touched;
}

interface StepToSign {
  /** Locked zone, with the serial after the changeset. */
  readonly zone: ZoneToSign;
  readonly state: SigningState;
  readonly touched: TouchedNames;
  readonly signer: ZoneSigner;
  /** Records that are written together with the signed data. Undefined if all have been written. */
  readonly unwritten?: UnwrittenRecords | undefined;
  /** Undefined if the transaction reads the zone. */
  readonly readSet?: ReadSigningSet | undefined;
  /** Called with the signed data before it is written. */
  readonly onSigned?: OnSigned;
}

export type OnSigned = ((signed: SignedItems) => void) | undefined;

/** Records with the rdata of their RRSIGs. */
export interface SignedItems {
  readonly keys: readonly UsedKey[];
  readonly items: readonly RrsetToSign[];
  readonly signatures: readonly (readonly Uint8Array[])[];
}

/** Maximum number of signatures in one transaction, since other writers wait for the zone. */
const MAX_SIGNATURES = 200_000;
/** Maximum number of RRsets in one request to the signer. */
const ITEMS_AT_ONCE = 2_000;
/** Maximum size of their rdata in bytes. The signer reads up to 16 MiB of JSON. */
const OCTETS_AT_ONCE = 4_194_304;

/** Signed rows of a zone that a changeset writes, and keys of rows that it removes. */
export interface SignedChange {
  readonly rows: readonly SignedName[];
  readonly removals: readonly CanonicalKey[];
  /** Version of the apex records that were signed. */
  readonly apexVersion: number;
}

/**
 * Signs the consequences of changes at some names, in the transaction of the change.
 *
 * @throws ServiceError `over-quota` or, if the signer is not reachable, `unavailable`
 */
export async function signChange(trx: Database, step: StepToSign): Promise<SignedChange> {
  const { zone, touched, signer, onSigned } = step;
  const names = await expandTouched(trx, zone, touched);
  names.set(zone.name, typesOfApex(names.get(zone.name)));
  const { being, read } = await readTouched(trx, step, names);
  const { apexName: apex, nsecTtl } = being;
  const plan = planSigning({ apex, nsecTtl, touched: read });
  requireFew(countToSign(plan), zone);
  const signatures = await signAll(
    trx,
    { being, signer, onSigned },
    plan.writes.flatMap(({ owner, toSign }) => toSign.map((rrset) => ({ owner, rrset }))),
  );
  let next = 0;
  const rows = plan.writes.map(({ key, records, toSign }): SignedName => {
    const fresh = toSign.flatMap((rrset): SignedRecord[] =>
      (signatures[next++] ?? []).map((rdata) => ({ type: RR_TYPE.RRSIG, ttl: rrset.ttl, rdata })),
    );
    return { key, records: [...records, ...fresh] };
  });
  return { rows, removals: plan.removals, apexVersion: being.apexVersion };
}

type NamesToSign = Map<string, ReadonlySet<number> | 'all'>;

function typesOfApex(
  touched: ReadonlySet<number> | 'all' = new Set(),
): ReadonlySet<number> | 'all' {
  return touched === 'all' ? 'all' : new Set([...touched, RR_TYPE.SOA]);
}

async function expandTouched(
  trx: Database,
  zone: ZoneToSign,
  touched: TouchedNames,
): Promise<NamesToSign> {
  if (isEveryName(touched)) {
    const limit = MAX_SIGNATURES + 1;
    const apexName = nameToWire(zone.name);
    const names = [
      ...(await listOwnerNames(trx, zone.id, null, limit)),
      ...(await listHostedBelow(trx, zone.name)),
      ...(await listKeysAfter(trx, zone.id, undefined, limit)).map((key) =>
        nameOfRow({ apexName }, key),
      ),
    ];
    requireFew(names.length / 2, zone);
    return new Map(names.map((name) => [name, 'all']));
  }
  return new Map(
    [...touched].map(([name, types]) => [
      name,
      types === 'all' ? 'all' : new Set([...types].map((type) => typeNumberOf(type))),
    ]),
  );
}

/** Includes the names below those that start or stop hiding them. */
async function readTouched(
  trx: Database,
  step: StepToSign,
  names: NamesToSign,
): Promise<{ being: ZoneBeingSigned; read: TouchedName[] }> {
  const { being, read } = await readOnce(trx, step, names);
  const seen = new Set(read.map(({ place }) => place.key));
  let fresh = read;
  for (;;) {
    requireFew(read.length, being.zone);
    const below = await listNamesHiddenOrShown(trx, being, fresh);
    const unseen = below.filter((name) => !seen.has(keyOfName(being, name)));
    if (unseen.length === 0) return { being, read };
    fresh = (await readOnce(trx, step, new Map(unseen.map((name) => [name, 'all'])))).read;
    for (const one of fresh) {
      seen.add(one.place.key);
      read.push(one);
    }
  }
}

async function readOnce(
  trx: Database,
  step: StepToSign,
  names: NamesToSign,
): Promise<{ being: ZoneBeingSigned; read: TouchedName[] }> {
  const { being, read } = await readNames(trx, step, [...names.keys()]);
  return {
    being,
    read: read.map(({ name, place, content }) => ({
      ...{ place, content },
      changedTypes: names.get(name) ?? 'all',
    })),
  };
}

async function listNamesHiddenOrShown(
  trx: Database,
  being: ZoneBeingSigned,
  touched: readonly TouchedName[],
): Promise<string[]> {
  const names: string[] = [];
  for (const { place, content } of touched) {
    if ((content?.hidesNames === true) === hidNames(place.key, place.records ?? [])) continue;
    for (const name of await listNamesBelow(trx, being, place)) names.push(name);
  }
  return names;
}

async function listNamesBelow(
  trx: Database,
  being: ZoneBeingSigned,
  { key }: ChainPosition,
): Promise<string[]> {
  const name = nameOfRow(being, key);
  const inChain = await listKeysBelow(trx, being.zone.id, key, MAX_SIGNATURES + 1);
  return [
    ...inChain.map((each) => nameOfRow(being, each)),
    ...(await listOwnerNamesBelow(trx, being.zone.id, name, MAX_SIGNATURES + 1)),
    ...(await listHostedBelow(trx, name)),
  ];
}

async function signAll(
  trx: Database,
  {
    being: { zone, keys },
    signer,
    onSigned,
  }: Pick<StepToSign, 'signer' | 'onSigned'> & { readonly being: ZoneBeingSigned },
  items: readonly RrsetToSign[],
): Promise<(readonly Uint8Array[])[]> {
  const version = keyVersion(keys);
  const signatures: (readonly Uint8Array[])[] = [];
  const { id, tenantId } = zone;
  for (const part of partsToSign(items)) {
    // Keeps the connection active, since PostgreSQL ends an idle transaction.
    if (signatures.length > 0) await trx.raw('select 1');
    const signed = await signer.sign({ id, tenantId, keyVersion: version }, part);
    if (signed.length !== part.length || signed.some(({ length }) => length === 0)) {
      throw new ServiceError(
        'unavailable',
        'The signer did not sign the complete change; try again.',
      );
    }
    onSigned?.({ keys, items: part, signatures: signed });
    for (const each of signed) signatures.push(each);
  }
  return signatures;
}

/** Splits RRsets into requests to the signer. */
export function* partsToSign(items: readonly RrsetToSign[]): Generator<readonly RrsetToSign[]> {
  let part: RrsetToSign[] = [];
  let octets = 0;
  for (const item of items) {
    const size = octetsToSign(item);
    if (part.length === ITEMS_AT_ONCE || (part.length > 0 && octets + size > OCTETS_AT_ONCE)) {
      yield part;
      part = [];
      octets = 0;
    }
    part.push(item);
    octets += size;
  }
  if (part.length > 0) yield part;
}

function requireFew(count: number, { name }: ZoneToSign): void {
  if (count <= MAX_SIGNATURES) return;
  throw new ServiceError(
    'over-quota',
    `The change needs more than ${MAX_SIGNATURES} signatures in the signed domain ${JSON.stringify(name)}; split it into smaller changes.`,
  );
}

function typeNumberOf(type: string): number {
  const number = typeNumber(type);
  if (number === undefined) throw new Error(`There is no record type ${type}.`);
  return number;
}
