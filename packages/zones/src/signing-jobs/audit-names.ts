import type { Database } from '@zonewright/database';
import { RR_TYPE, typeMnemonic } from '@zonewright/dns-records';
import {
  type CanonicalKey,
  nameOfKey,
  octetsToSign,
  planSigning,
  type Rrset,
  rrsigFromWire,
  type SignedRecord,
  type TouchedName,
  verifyOctets,
} from '@zonewright/dns-records/dnssec';
import { forEachInSlices } from '@zonewright/service-kit';
import { isServedSigned, type ZoneKey } from '../rows/signing-state.js';
import { listOwnerNames } from '../signing/owner-name-store.js';
import { readNames } from '../signing/read-names.js';
import { listKeysAfter, listPlaces } from '../signing/signed-name-store.js';
import { findSigning, findZoneToSign, listZoneKeys } from '../signing/signing-store.js';
import { keyOfName, nameOfRow, readZoneBeingSigned } from '../signing/zone-being-signed.js';
import type { ZoneBeingSigned } from '../signing/zone-being-signed.js';

/**
 * How far a zone was looked through: first the names of its chain in their order, then those that users have records at, each of
 * which must be in the chain or below a cut.
 */
export type AuditPlace =
  | { readonly walk: 'chain'; readonly after: CanonicalKey | undefined }
  | { readonly walk: 'owners'; readonly after: string | null };

export const AUDIT_BEGIN: AuditPlace = { walk: 'chain', after: undefined };

interface AuditedNames {
  /** In one sentence; undefined: nothing is wrong with these names. */
  readonly problem: string | undefined;
  /** Undefined: that was all of the zone. */
  readonly next: AuditPlace | undefined;
}

const SIGNATURE_OCTETS = 64;

/**
 * Compares what is kept of some names of a signed zone with what would be signed now, and verifies the signatures: all in one
 * snapshot of the database, without holding the zone, so that a zone that changes meanwhile is looked at as it was.
 */
export async function auditNames(
  db: Database,
  { zoneId, place, now, limit }: { zoneId: string; place: AuditPlace; now: Date; limit: number },
): Promise<AuditedNames> {
  return await db.transaction(
    async (trx) => {
      const zone = await findZoneToSign(trx, zoneId);
      const signing = zone && (await findSigning(trx, zoneId));
      if (zone === undefined || signing === undefined || !isServedSigned(signing.state)) {
        return { problem: undefined, next: undefined };
      }
      const being = await readZoneBeingSigned(trx, zone, signing.state);
      const names = await listNames(trx, being, place, limit);
      const touched = await readTouched(trx, being, names);
      const keys = await listZoneKeys(trx, zoneId);
      const problem =
        findUnsigned(being, touched) ??
        (place.walk === 'chain' ? await verifyAll(being, { touched, keys, now }) : undefined);
      return { problem, next: nextPlace(being, place, { names, limit }) };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function listNames(
  trx: Database,
  being: ZoneBeingSigned,
  place: AuditPlace,
  limit: number,
): Promise<string[]> {
  const { id } = being.zone;
  if (place.walk === 'owners') return await listOwnerNames(trx, id, place.after, limit);
  const keys = await listKeysAfter(trx, id, place.after, limit);
  return keys.map((key) => nameOfRow(being, key));
}

function nextPlace(
  being: ZoneBeingSigned,
  { walk }: AuditPlace,
  { names, limit }: { readonly names: readonly string[]; readonly limit: number },
): AuditPlace | undefined {
  const last = names.length < limit ? undefined : names.at(-1);
  if (walk === 'owners') return last === undefined ? undefined : { walk, after: last };
  if (last === undefined) return { walk: 'owners', after: null };
  return { walk, after: keyOfName(being, last) };
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
function findUnsigned(being: ZoneBeingSigned, touched: readonly TouchedName[]): string | undefined {
  const { apexName: apex, nsecTtl } = being;
  const { writes, removals } = planSigning({ apex, nsecTtl, touched });
  const [removal] = removals;
  if (removal !== undefined) return `${nameOfRow(being, removal)} has signatures and no records`;
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
  const problems: string[] = [];
  await forEachInSlices(touched, ({ place: { key, records = [] }, content }) => {
    const nsec = records.filter(({ type }) => type === RR_TYPE.NSEC).map(toRrset);
    const rrsets = [...(content?.rrsets ?? []), ...nsec];
    const owner = nameOfKey(key, being.apexName);
    for (const { rdata } of records.filter(({ type }) => type === RR_TYPE.RRSIG)) {
      const problem = verify(rdata, { owner, rrsets, keys, now });
      if (problem !== undefined) problems.push(`${nameOfRow(being, key)} has ${problem}`);
    }
  });
  return problems[0];
}

function toRrset({ type, ttl, rdata }: SignedRecord): Rrset {
  return { type, ttl, rdatas: [rdata] };
}

function verify(
  rdata: Uint8Array,
  {
    owner,
    rrsets,
    keys,
    now,
  }: Pick<ToVerify, 'keys' | 'now'> & { owner: Uint8Array; rrsets: readonly Rrset[] },
): string | undefined {
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
  const isTrue = verifyOctets(
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
