import type { Database } from '@zonewright/database';
import { RR_TYPE, typeMnemonic } from '@zonewright/dns-records';
import {
  nameOfKey,
  planSigning,
  type Rrset,
  rrsigFromWire,
  type SignedRecord,
  type TouchedName,
} from '@zonewright/dns-records/dnssec';
import type { SigningState } from '../rows/signing-state.js';
import { readNames } from '../signing/read-names.js';
import type { UsedKey } from '../signing/signing-ground-store.js';
import type { ZoneToSign } from '../signing/signing-store.js';
import { nameOfRow, type ZoneBeingSigned } from '../signing/zone-being-signed.js';
import { keyOf, SignatureChecks } from './signature-checks.js';

/** A zone, held or as one snapshot has it. */
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

/** The same, and whether all their signatures hold. */
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

/** A change of nothing must plan exactly what is stored. */
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
  if (rrset === undefined) return `${what}, which is not there`;
  const seconds = now.getTime() / 1_000;
  if (seconds < inception || seconds > expiration) return `${what} that does not hold now`;
  const key = keyOf({ keyTag, algorithm }, keys);
  // Signatures with the algorithm of removed keys wait for renewal.
  if (key === undefined)
    return isOfGoneAlgorithm(algorithm, keys) ? undefined : `${what} by no key`;
  const holds = await checks.holds(key, { owner, rrset, rdata });
  return holds ? undefined : `${what} that does not verify`;
}

function isOfGoneAlgorithm(algorithm: number, keys: readonly UsedKey[]): boolean {
  return keys.every((key) => key.algorithm !== algorithm);
}
