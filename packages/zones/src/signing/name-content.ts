import { RR_TYPE, typeNumber } from '@zonewright/dns-records';
import {
  canonicalRdatas,
  isSigningType,
  type NameContent,
  type Rrset,
} from '@zonewright/dns-records/dnssec';
import type { RecordToSign } from './signing-ground-store.js';

interface NameInZone {
  readonly name: string;
  /** Name of the zone. */
  readonly apex: string;
  /** Records that users have written at the name. */
  readonly records: readonly RecordToSign[];
  /** RRsets that the service provides at the name. */
  readonly provided: readonly Rrset[];
}

/**
 * Content of a name as it is signed. Undefined if there is nothing at the name. Records of the service and of users with one
 * type are one RRset with one signature, so an RRset that is stored beside its signature contains both.
 */
export function toNameContent({
  name,
  apex,
  records,
  provided,
}: NameInZone): NameContent | undefined {
  const rrsets = toRrsets(records, provided);
  if (rrsets.length === 0) return undefined;
  const providedTypes = new Set(provided.map(({ type }) => type));
  const hasNs = rrsets.some(({ type }) => type === RR_TYPE.NS);
  const hasDname = rrsets.some(({ type }) => type === RR_TYPE.DNAME);
  const isCut = name !== apex && hasNs && isNotWildcard(name);
  return {
    rrsets,
    provided: rrsets.filter(({ type }) => providedTypes.has(type)),
    isCut,
    hidesNames: isCut || (hasDname && isNotWildcard(name)),
  };
}

/** Whether users' records of the type can only be left from an earlier, signed primary. */
function isOfEarlierPrimary(type: number): boolean {
  return type === RR_TYPE.SOA || isSigningType(type);
}

/** NS at a wildcard delegates nothing, and DNAME substitutes nothing (RFC 4592 s4.2, s4.4). */
export function isNotWildcard(name: string): boolean {
  return !name.startsWith('*.');
}

/** RRsets with one TTL each, the lowest (RFC 2181 s5.2), and each rdata once. */
function toRrsets(records: readonly RecordToSign[], provided: readonly Rrset[]): Rrset[] {
  const byType = new Map<number, { ttl: number; rdatas: Uint8Array[] }>();
  const add = (type: number, ttl: number, rdatas: readonly Uint8Array[]) => {
    const rrset = byType.get(type) ?? { ttl, rdatas: [] };
    rrset.ttl = Math.min(rrset.ttl, ttl);
    rrset.rdatas.push(...rdatas);
    byType.set(type, rrset);
  };
  for (const { type, ttl, rdatas } of provided) add(type, ttl, rdatas);
  for (const { type, ttl, rdata } of records) {
    const number = typeNumber(type);
    if (number === undefined) throw new Error(`Record type ${type} is unknown.`);
    if (!isOfEarlierPrimary(number)) add(number, ttl, [rdata]);
  }
  return [...byType].map(([type, { ttl, rdatas }]) => ({
    type,
    ttl,
    rdatas: canonicalRdatas({ type, ttl, rdatas }),
  }));
}
