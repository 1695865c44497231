import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  canonicalKey,
  CSK_FLAGS,
  dnskeyToWire,
  dsToWire,
  generateSigningKey,
  isWildcardKey,
  keyTagOf,
  nsecToWire,
  octetsToSign,
  rrsigHead,
  type PublicKey,
  type Rrset,
  type SigningAlgorithm,
  signOctets,
} from '@zonewright/dns-records/dnssec';
import type { ZoneContent, ZoneRecord } from '../../src/compile/zone-tree.js';

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const SHA_256 = 2;
/** The keys of all zones that are signed here. */
const KEYS = { 13: generateSigningKey(13), 15: generateSigningKey(15) };
const DNSKEY_TTL = 3_600;
/** The signing time of all zones. */
const NOW = Math.floor(Date.now() / 1_000);

interface SignedNode {
  readonly owner: Uint8Array;
  readonly rrsets: Rrset[];
  isCut: boolean;
  isBelowCut: boolean;
}

/** Returns the rdata of the DS record with which a resolver validates a zone that is signed here. */
export function dsOf(apex: string): Uint8Array {
  return dsToWire(nameToWire(apex), publicKeyOf(13), SHA_256);
}

/** Returns the DS record as text, in the form of a resolver's configuration. */
export function anchorOf(apex: string): string {
  const ds = Buffer.from(dsOf(apex));
  const digest = ds.toString('hex', 4);
  return `${apex} DS ${ds.readUInt16BE(0)} ${ds[2]} ${ds[3]} ${digest}`;
}

function publicKeyOf(algorithm: SigningAlgorithm): PublicKey {
  return { flags: CSK_FLAGS, algorithm, publicKey: KEYS[algorithm].publicKey };
}

interface SigningOptions {
  /** The validity of the signatures in seconds from now. */
  readonly validFor?: number;
  /** Algorithm 15 gives equal signatures for equal data. */
  readonly algorithm?: SigningAlgorithm;
}

/** Returns a zone as the signer would have signed it, with DNSKEY, NSEC and RRSIG. */
export function signZone(
  zone: ZoneContent,
  { validFor = 21 * DAY_SECONDS, algorithm = 13 }: SigningOptions = {},
): ZoneContent {
  const publicKey = publicKeyOf(algorithm);
  const key = {
    owner: zone.apex,
    type: RR_TYPE.DNSKEY,
    ttl: DNSKEY_TTL,
    rdata: dnskeyToWire(publicKey),
  };
  const nodes = groupByName(zone.apex, [...zone.records, key]);
  const chain = [...nodes].filter(([, { isBelowCut }]) => !isBelowCut).sort(byKey);
  const nsecTtl = negativeTtl(nodes.get('')!);
  const terms = {
    ...{ algorithm, keyTag: keyTagOf(publicKey), signerName: zone.apex },
    inception: NOW - HOUR_SECONDS + Math.min(0, validFor),
    expiration: NOW + validFor,
  };
  const records = [...nodes.values()].flatMap(({ owner, rrsets }) => toRecords(owner, rrsets));
  for (const [place, [, { owner, rrsets, isCut }]] of chain.entries()) {
    const { owner: next } = chain[(place + 1) % chain.length]![1];
    const types = rrsets.map(({ type }) => type).filter((type) => !isCut || isOfCut(type));
    const all = [...types, RR_TYPE.RRSIG, RR_TYPE.NSEC];
    const nsec = { type: RR_TYPE.NSEC, ttl: nsecTtl, rdatas: [nsecToWire({ next, types: all })] };
    records.push(...toRecords(owner, [nsec]));
    for (const rrset of [...rrsets, nsec]) {
      if (isCut && rrset.type !== RR_TYPE.DS && rrset.type !== RR_TYPE.NSEC) continue;
      const head = rrsigHead(owner, rrset, terms);
      const signature = signOctets(
        algorithm,
        KEYS[algorithm].privateKey,
        octetsToSign(head, owner, rrset),
      );
      const rdata = Buffer.concat([head, signature]);
      records.push({ owner, type: RR_TYPE.RRSIG, ttl: rrset.ttl, rdata });
    }
  }
  return { ...zone, records, isSigned: true };
}

function isOfCut(type: number): boolean {
  return type === RR_TYPE.NS || type === RR_TYPE.DS;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function groupByName(apex: Uint8Array, records: readonly ZoneRecord[]): Map<string, SignedNode> {
  const nodes = new Map<string, SignedNode>();
  for (const { owner, type, ttl, rdata } of records) {
    const key = canonicalKey(owner, apex);
    const node = nodes.get(key) ?? { owner, rrsets: [], isCut: false, isBelowCut: false };
    nodes.set(key, node);
    const at = node.rrsets.findIndex((rrset) => rrset.type === type);
    const known = node.rrsets[at];
    if (known === undefined) node.rrsets.push({ type, ttl, rdatas: [rdata] });
    else
      node.rrsets[at] = { type, ttl: Math.min(ttl, known.ttl), rdatas: [...known.rdatas, rdata] };
    node.isCut ||= type === RR_TYPE.NS && key !== '' && !isWildcardKey(key);
  }
  const cuts = [...nodes].filter(([, { isCut }]) => isCut).map(([key]) => key);
  for (const [key, node] of nodes) {
    node.isBelowCut = cuts.some((cut) => key !== cut && key.startsWith(cut));
  }
  return nodes;
}

function negativeTtl({ rrsets }: SignedNode): number {
  const soa = rrsets.find(({ type }) => type === RR_TYPE.SOA)!;
  const rdata = Buffer.from(soa.rdatas[0]!);
  return Math.min(soa.ttl, rdata.readUInt32BE(rdata.length - 4));
}

function toRecords(owner: Uint8Array, rrsets: readonly Rrset[]): ZoneRecord[] {
  return rrsets.flatMap(({ type, ttl, rdatas }) =>
    rdatas.map((rdata) => ({ owner, type, ttl, rdata })),
  );
}
