import type { Database } from '@zonewright/database';
import { RR_TYPE, typeMnemonic } from '@zonewright/dns-records';
import {
  nameOfKey,
  octetsToSign,
  planSigning,
  type Rrset,
  rrsigFromWire,
  type SignedRecord,
  type TouchedName,
  verifyOctetsAside,
} from '@zonewright/dns-records/dnssec';
import type { ZoneKey } from '../rows/signing-state.js';
import { readNames } from '../signing/read-names.js';
import { listPlaces } from '../signing/signed-name-store.js';
import { listZoneKeys } from '../signing/signing-store.js';
import { keyOfName, nameOfRow, type ZoneBeingSigned } from '../signing/zone-being-signed.js';

const SIGNATURE_OCTETS = 64;

/** Whether what is kept of some names is what would be signed now; in one sentence what is not. Signatures are not verified. */
export async function findUnsigned(
  trx: Database,
  being: ZoneBeingSigned,
  names: readonly string[],
): Promise<string | undefined> {
  return planNothing(being, await readTouched(trx, being, names));
}

/** The same, and whether all their signatures hold. */
export async function findFault(
  trx: Database,
  being: ZoneBeingSigned,
  { names, now }: { readonly names: readonly string[]; readonly now: Date },
): Promise<string | undefined> {
  const touched = await readTouched(trx, being, names);
  const keys = await listZoneKeys(trx, being.zone.id);
  return planNothing(being, touched) ?? (await verifyAll(being, { touched, keys, now }));
}

async function readTouched(
  trx: Database,
  being: ZoneBeingSigned,
  names: readonly string[],
): Promise<TouchedName[]> {
  const contents = await readNames(trx, being, names);
  const byKey = new Map(names.map((name) => [keyOfName(being, name), name]));
  const places = await listPlaces(trx, being.zone.id, [...byKey.keys()]);
  return places.map((place) => ({
    place,
    content: contents.get(byKey.get(place.key) ?? ''),
    changedTypes: new Set(),
  }));
}

/** A step that changed nothing would have nothing to write but what is there. */
function planNothing(being: ZoneBeingSigned, touched: readonly TouchedName[]): string | undefined {
  const { apexName: apex, nsecTtl } = being;
  const { writes, removals } = planSigning({ apex, nsecTtl, touched });
  const [removal] = removals;
  if (removal !== undefined) return `${nameOfRow(being, removal)} has signatures and no records`;
  const kept = new Map(touched.map(({ place: { key, records = [] } }) => [key, records.length]));
  const other = writes.find(
    ({ key, records, toSign }) => toSign.length === 0 && records.length !== kept.get(key),
  );
  if (other !== undefined)
    return `${nameOfRow(being, other.key)} has records that belong to nothing`;
  const unsigned = writes.find(({ toSign }) => toSign.length > 0);
  if (unsigned === undefined) return undefined;
  const types = unsigned.toSign.map(({ type }) => typeMnemonic(type)).join(', ');
  return `${nameOfRow(being, unsigned.key)} has other records than were signed: ${types}`;
}

interface ToVerify {
  readonly touched: readonly TouchedName[];
  readonly keys: readonly ZoneKey[];
  readonly now: Date;
}

async function verifyAll(
  being: ZoneBeingSigned,
  { touched, keys, now }: ToVerify,
): Promise<string | undefined> {
  const problems = touched.flatMap(({ place: { key, records = [] }, content }) => {
    const nsec = records.filter(({ type }) => type === RR_TYPE.NSEC).map(toRrset);
    const rrsets = [...(content?.rrsets ?? []), ...nsec];
    const owner = nameOfKey(key, being.apexName);
    const signatures = records.filter(({ type }) => type === RR_TYPE.RRSIG);
    return signatures.map(async ({ rdata }) => {
      const problem = await verify(rdata, { owner, rrsets, keys, now });
      return problem && `${nameOfRow(being, key)} has ${problem}`;
    });
  });
  return (await Promise.all(problems)).find((each) => each !== undefined);
}

function toRrset({ type, ttl, rdata }: SignedRecord): Rrset {
  return { type, ttl, rdatas: [rdata] };
}

async function verify(
  rdata: Uint8Array,
  {
    owner,
    rrsets,
    keys,
    now,
  }: Pick<ToVerify, 'keys' | 'now'> & { owner: Uint8Array; rrsets: readonly Rrset[] },
): Promise<string | undefined> {
  const { typeCovered, algorithm, keyTag, signature, inception, expiration } = rrsigFromWire(rdata);
  const what = `a signature of ${typeMnemonic(typeCovered)}`;
  const rrset = rrsets.find(({ type }) => type === typeCovered);
  if (rrset === undefined) return `${what}, which is not there`;
  const seconds = now.getTime() / 1_000;
  if (seconds < inception || seconds > expiration) return `${what} that does not hold now`;
  const key = keys.find((each) => each.keyTag === keyTag && each.algorithm === algorithm);
  // What keys that are gone have signed waits to be renewed.
  if (key === undefined)
    return isOfGoneAlgorithm(algorithm, keys) ? undefined : `${what} by no key`;
  const head = rdata.subarray(0, rdata.length - SIGNATURE_OCTETS);
  const isTrue = await verifyOctetsAside(
    key.algorithm,
    key.publicKey,
    octetsToSign(head, owner, rrset),
    signature,
  );
  return isTrue ? undefined : `${what} that does not verify`;
}

function isOfGoneAlgorithm(algorithm: number, keys: readonly ZoneKey[]): boolean {
  return keys.every((key) => key.algorithm !== algorithm);
}
