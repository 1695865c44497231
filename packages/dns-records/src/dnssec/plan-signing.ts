import { RR_TYPE } from '../values/rr-type.js';
import { type CanonicalKey, nameOfKey, type Rrset } from './canonical.js';
import { type ChainPosition, NsecChain } from './nsec-chain.js';
import { nsecFromWire, nsecToWire } from './nsec.js';
import { typeCoveredBy } from './rrsig.js';
import { recordsOfRrsets, type SignedRecord } from './signed-records.js';

/** Data at a name in the chain. The name has authoritative data, or another zone begins there. */
export interface NameContent {
  /** All RRsets of the name except NSEC and RRSIG, whatever their source is. */
  readonly rrsets: readonly Rrset[];
  /** RRsets that the service manages. They are stored with the signatures. */
  readonly provided: readonly Rrset[];
  /** Whether another zone begins here. */
  readonly isCut: boolean;
  /**
   * Whether names below are not in the zone because another zone begins here, or the name has a DNAME record (RFC 6672
   * s2.3).
   */
  readonly hidesNames: boolean;
}

/** A name that changes, with its former position in the chain. */
export interface TouchedName {
  readonly place: ChainPosition;
  /** Undefined if the name no longer has data, or is below a zone cut. */
  readonly content: NameContent | undefined;
  /** Types whose data changed; 'all' signs everything again. Managed RRsets are compared instead. */
  readonly changedTypes: ReadonlySet<number> | 'all';
}

interface SigningChange {
  /** Apex in wire form. */
  readonly apex: Uint8Array;
  /** Minimum of the SOA record's TTL and its MINIMUM field (RFC 9077 s3.2). */
  readonly nsecTtl: number;
  readonly touched: readonly TouchedName[];
}

/** A name whose row must be written. */
export interface PlannedName {
  readonly key: CanonicalKey;
  /** Owner in wire form. */
  readonly owner: Uint8Array;
  /** Records that do not change: managed records, and signatures that are still valid. */
  readonly records: readonly SignedRecord[];
  /** RRsets that need signatures, which are appended to `records`. */
  readonly toSign: readonly Rrset[];
}

export interface SigningPlan {
  readonly writes: readonly PlannedName[];
  readonly removals: readonly CanonicalKey[];
}

/**
 * Plans how a change of some names affects the stored rows of a signed zone: the rows to write, and the RRsets to sign.
 * Names that precede added or removed names get a new NSEC.
 */
export function planSigning({ apex, nsecTtl, touched }: SigningChange): SigningPlan {
  const chain = new NsecChain(
    touched.map(({ place, content }) => ({ ...place, isThere: content !== undefined })),
  );
  const nsecOf = (key: CanonicalKey, types: readonly number[]): Rrset => {
    const next = nameOfKey(chain.next(key), apex);
    return { type: RR_TYPE.NSEC, ttl: nsecTtl, rdatas: [nsecToWire({ next, types })] };
  };
  const writes = touched.flatMap(({ place, content, changedTypes }) => {
    if (content === undefined) return [];
    const nsec = nsecOf(place.key, typesAt(content));
    const owner = nameOfKey(place.key, apex);
    return [{ key: place.key, owner, ...planName(place, content, changedTypes, nsec) }];
  });
  const neighbours = chain.untouchedBeforeChanges().map(({ key, records }) => {
    const old = records.find(({ type }) => type === RR_TYPE.NSEC);
    if (old === undefined) throw new Error('A name in the chain has no NSEC record.');
    const nsec = nsecOf(key, nsecFromWire(old.rdata).types);
    const others = records.filter((record) => !isNsecOrItsSignature(record));
    const owner = nameOfKey(key, apex);
    return { key, owner, records: [...others, ...recordsOfRrsets([nsec])], toSign: [nsec] };
  });
  const removals = touched
    .filter(({ place, content }) => content === undefined && place.records !== undefined)
    .map(({ place }) => place.key);
  return { writes: [...writes, ...neighbours], removals };
}

/** Returns the number of RRsets that a plan needs to sign. */
export function countToSign({ writes }: SigningPlan): number {
  return writes.reduce((sum, { toSign }) => sum + toSign.length, 0);
}

/** Whether the row of a name shows that names below it are not in the zone. */
export function hidNames(key: CanonicalKey, records: readonly SignedRecord[]): boolean {
  const nsec = records.find(({ type }) => type === RR_TYPE.NSEC);
  if (nsec === undefined || isWildcardKey(key)) return false;
  const { types } = nsecFromWire(nsec.rdata);
  return types.includes(RR_TYPE.DNAME) || (types.includes(RR_TYPE.NS) && key !== '');
}

/**
 * Whether the key is that of a wildcard. NS does not delegate there, and DNAME does not substitute (RFC 4592 s4.2,
 * s4.4).
 */
export function isWildcardKey(key: CanonicalKey): boolean {
  return key === '*\x00' || key.endsWith('\x00*\x00');
}

function planName(
  { records = [] }: ChainPosition,
  content: NameContent,
  changedTypes: TouchedName['changedTypes'],
  nsec: Rrset,
): Pick<PlannedName, 'records' | 'toSign'> {
  const own = [...content.provided, nsec];
  const kept: SignedRecord[] = [];
  const toSign: Rrset[] = [];
  for (const rrset of [...signedRrsets(content), nsec]) {
    const signatures = records.filter(
      ({ type, ttl, rdata }) =>
        type === RR_TYPE.RRSIG && ttl === rrset.ttl && typeCoveredBy(rdata) === rrset.type,
    );
    const isKept =
      changedTypes !== 'all' &&
      !changedTypes.has(rrset.type) &&
      signatures.length > 0 &&
      isSame(
        ofType(own, rrset.type),
        records.filter(({ type }) => type === rrset.type),
      );
    if (isKept) kept.push(...signatures);
    else toSign.push(rrset);
  }
  return { records: [...recordsOfRrsets(own), ...kept], toSign };
}

/** Returns the RRsets to sign. At a zone cut, the parent is authoritative only for DS (RFC 4035 s2.2). */
function signedRrsets({ rrsets, isCut }: NameContent): readonly Rrset[] {
  return isCut ? rrsets.filter(({ type }) => type === RR_TYPE.DS) : rrsets;
}

/** Returns the types for NSEC. At a zone cut, only those of the parent are listed (RFC 4035 s2.3). */
function typesAt({ rrsets, isCut }: NameContent): number[] {
  const types = rrsets.map(({ type }) => type);
  const own = isCut ? types.filter((type) => type === RR_TYPE.NS || type === RR_TYPE.DS) : types;
  return [...own, RR_TYPE.RRSIG, RR_TYPE.NSEC];
}

function ofType(rrsets: readonly Rrset[], wanted: number): SignedRecord[] {
  return recordsOfRrsets(rrsets.filter(({ type }) => type === wanted));
}

function isSame(a: readonly SignedRecord[], b: readonly SignedRecord[]): boolean {
  return textOf(a) === textOf(b);
}

function textOf(records: readonly SignedRecord[]): string {
  const texts = records.map(({ ttl, rdata }) => `${ttl} ${Buffer.from(rdata).toString('hex')}`);
  return texts.sort().join();
}

function isNsecOrItsSignature({ type, rdata }: SignedRecord): boolean {
  if (type === RR_TYPE.RRSIG) return typeCoveredBy(rdata) === RR_TYPE.NSEC;
  return type === RR_TYPE.NSEC;
}

const SIGNING_TYPES: ReadonlySet<number> = new Set([
  RR_TYPE.RRSIG,
  RR_TYPE.NSEC,
  RR_TYPE.NSEC3,
  RR_TYPE.NSEC3PARAM,
  RR_TYPE.DNSKEY,
  RR_TYPE.CDS,
  RR_TYPE.CDNSKEY,
]);

/**
 * Whether only the signer of a zone writes records of a type. Stored records of such types come from an earlier,
 * external signer. They are neither signed nor served in a zone that is signed here.
 */
export function isSigningType(type: number): boolean {
  return SIGNING_TYPES.has(type);
}
