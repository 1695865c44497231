import { type Database, readSignedNames } from '@zonewright/database';
import { nameToWire, RR_TYPE, typeMnemonic } from '@zonewright/dns-records';
import {
  canonicalKey,
  nameOfKey,
  nsecFromWire,
  octetsToSign,
  planSigning,
  type Rrset,
  type Rrsig,
  rrsigFromWire,
  type SignedRecord,
  signedRecordsFromOctets,
  type TouchedName,
  verifyOctetsAside,
} from '@zonewright/dns-records/dnssec';
import type { SigningState } from '../rows/signing-state.js';
import { readNames } from '../signing/read-names.js';
import type { SignedItems } from '../signing/sign-step.js';
import type { UsedKey } from '../signing/signing-ground-store.js';
import type { ZoneToSign } from '../signing/signing-store.js';
import { nameOfRow, type ZoneBeingSigned } from '../signing/zone-being-signed.js';

/** Zone that is locked, or read in one snapshot. */
interface LookedAt {
  readonly zone: ZoneToSign;
  readonly state: SigningState;
}

/**
 * Compares the stored data of some names with what would be signed now, and describes the difference in one sentence.
 * Signatures are not verified.
 */
export async function findUnsigned(
  trx: Database,
  zone: LookedAt,
  names: readonly string[],
): Promise<string | undefined> {
  const { being, touched } = await readTouched(trx, zone, names);
  return planNothing(being, touched);
}

/** Compares the stored data like findUnsigned, and verifies all signatures. */
export async function findFault(
  trx: Database,
  zone: LookedAt,
  {
    names,
    now,
    checks = new SignatureChecks(),
  }: { readonly names: readonly string[]; readonly now: Date; readonly checks?: SignatureChecks },
): Promise<string | undefined> {
  const { being, touched } = await readTouched(trx, zone, names);
  return planNothing(being, touched) ?? (await verifyAll(being, { touched, now, checks }));
}

async function readTouched(
  trx: Database,
  zone: LookedAt,
  names: readonly string[],
): Promise<{ being: ZoneBeingSigned; touched: TouchedName[] }> {
  const { being, read } = await readNames(trx, zone, names);
  const touched = read.map(({ place, content }) => ({
    ...{ place, content },
    changedTypes: new Set<number>(),
  }));
  return { being, touched };
}

/** Checks that planning no change results in exactly the stored data. */
function planNothing(being: ZoneBeingSigned, touched: readonly TouchedName[]): string | undefined {
  const { apexName: apex, nsecTtl } = being;
  const { writes, removals } = planSigning({ apex, nsecTtl, touched });
  const [removal] = removals;
  if (removal !== undefined) return `${nameOfRow(being, removal)} has signatures, but no records`;
  const kept = new Map(touched.map(({ place: { key, records = [] } }) => [key, records.length]));
  const other = writes.find(
    ({ key, records, toSign }) => toSign.length === 0 && records.length !== kept.get(key),
  );
  if (other !== undefined) return `${nameOfRow(being, other.key)} has orphaned records`;
  const unsigned = writes.find(({ toSign }) => toSign.length > 0);
  if (unsigned === undefined) return undefined;
  const types = unsigned.toSign.map(({ type }) => typeMnemonic(type)).join(', ');
  return `${nameOfRow(being, unsigned.key)} has records that differ from the signed ones: ${types}`;
}

interface ToVerify {
  readonly touched: readonly TouchedName[];
  readonly now: Date;
  readonly checks: SignatureChecks;
}

async function verifyAll(
  being: ZoneBeingSigned,
  { touched, now, checks }: ToVerify,
): Promise<string | undefined> {
  const problems = touched.flatMap(({ place: { key, records = [] }, content }) => {
    const nsec = records.filter(({ type }) => type === RR_TYPE.NSEC).map(toRrset);
    const rrsets = [...(content?.rrsets ?? []), ...nsec];
    const owner = nameOfKey(key, being.apexName);
    const signatures = records.filter(({ type }) => type === RR_TYPE.RRSIG);
    return signatures.map(async ({ rdata }) => {
      const problem = await verify(rdata, { owner, rrsets, keys: being.keys, now, checks });
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
    checks,
  }: {
    readonly owner: Uint8Array;
    readonly rrsets: readonly Rrset[];
    readonly keys: readonly UsedKey[];
    readonly now: Date;
    readonly checks: SignatureChecks;
  },
): Promise<string | undefined> {
  const { typeCovered, algorithm, keyTag, inception, expiration } = rrsigFromWire(rdata);
  const what = `a signature of ${typeMnemonic(typeCovered)}`;
  const rrset = rrsets.find(({ type }) => type === typeCovered);
  if (rrset === undefined) return `${what}, which does not exist`;
  const seconds = now.getTime() / 1_000;
  if (seconds < inception || seconds > expiration) return `${what} that is not valid now`;
  const key = keyOf({ keyTag, algorithm }, keys);
  // Signatures with the algorithm of removed keys remain until they are renewed.
  if (key === undefined)
    return isOfGoneAlgorithm(algorithm, keys) ? undefined : `${what} by an unknown key`;
  const holds = await checks.holds(key, { owner, rrset, rdata });
  return holds ? undefined : `${what} that cannot be verified`;
}

function isOfGoneAlgorithm(algorithm: number, keys: readonly UsedKey[]): boolean {
  return keys.every((key) => key.algorithm !== algorithm);
}

const SIGNATURE_OCTETS = 64;

/** RRset with one of its signatures, as the rdata of the RRSIG. */
interface SignedRrset {
  readonly owner: Uint8Array;
  readonly rrset: Rrset;
  readonly rdata: Uint8Array;
}

interface Check {
  readonly octets: Uint8Array;
  readonly holds: Promise<boolean>;
}

/** Verifies signatures. New ones are verified by other threads while they are being written. */
export class SignatureChecks {
  readonly #begun = new Map<string, Check>();

  /** Starts verifications early. `holds` returns their results if the data has not changed. */
  readonly begin = ({ keys, items, signatures }: SignedItems): void => {
    for (const [at, { owner, rrset }] of items.entries()) {
      for (const rdata of signatures[at] ?? []) {
        const key = keyOf(rrsigFromWire(rdata), keys);
        if (key === undefined) continue;
        const check = beginCheck(key, { owner, rrset, rdata });
        check.holds.catch(() => undefined);
        this.#begun.set(nameOf(rdata), check);
      }
    }
  };

  /** Whether a signature of the key is valid for the current data. */
  async holds(key: UsedKey, signed: SignedRrset): Promise<boolean> {
    const begun = this.#begun.get(nameOf(signed.rdata));
    if (begun !== undefined && isSame(begun.octets, octetsOf(signed))) return await begun.holds;
    return await beginCheck(key, signed).holds;
  }
}

/** Returns the key that made a signature, if it is known. */
function keyOf(
  { keyTag, algorithm }: Pick<Rrsig, 'keyTag' | 'algorithm'>,
  keys: readonly UsedKey[],
): UsedKey | undefined {
  return keys.find((each) => each.keyTag === keyTag && each.algorithm === algorithm);
}

function beginCheck({ algorithm, publicKey }: UsedKey, signed: SignedRrset): Check {
  const octets = octetsOf(signed);
  const signature = signed.rdata.subarray(-SIGNATURE_OCTETS);
  return { octets, holds: verifyOctetsAside(algorithm, publicKey, octets, signature) };
}

function octetsOf({ owner, rrset, rdata }: SignedRrset) {
  return octetsToSign(rdata.subarray(0, -SIGNATURE_OCTETS), owner, rrset);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Returns a key for a signature, which belongs to one RRset. */
function nameOf(rdata: Uint8Array): string {
  return Buffer.from(rdata).toString('latin1');
}

/**
 * Throws unless each name in the chain points to the next, the last one to the apex, and each has a signature. It reads
 * the zone in a single query: with several queries, PostgreSQL would sort the rest each time, since it has no
 * statistics of uncommitted rows.
 */
export async function checkRing(trx: Database, zone: ZoneToSign): Promise<void> {
  const apexName = nameToWire(zone.name);
  let expected = '';
  let isEmpty = true;
  for await (const names of readSignedNames(trx, [zone.id])) {
    for (const { canonical, records: octets } of names) {
      const records = signedRecordsFromOctets(octets);
      const nsec = records.find(({ type }) => type === RR_TYPE.NSEC);
      const isSigned = records.some(({ type }) => type === RR_TYPE.RRSIG);
      const key = canonical.toString('latin1');
      if (key !== expected || nsec === undefined || !isSigned) throw brokenRing(zone.name);
      expected = canonicalKey(nsecFromWire(nsec.rdata).next, apexName);
      isEmpty = false;
    }
  }
  if (expected !== '' || isEmpty) throw brokenRing(zone.name);
}

function brokenRing(name: string): Error {
  return new Error(`The NSEC chain of ${JSON.stringify(name)} is broken.`);
}
