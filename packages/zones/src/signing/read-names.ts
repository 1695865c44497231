import type { Database } from '@zonewright/database';
import { ancestorsOf, nameToWire, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import {
  canonicalKey,
  canonicalRdatas,
  type ChainPosition,
  isSigningType,
  type NameContent,
  type Rrset,
} from '@zonewright/dns-records/dnssec';
import type { ZoneRecord } from '../rows/record.js';
import type { SigningState } from '../rows/signing-state.js';
import { managedAtApex, managedAtChild } from './provided-rrsets.js';
import {
  type HostedChild,
  readSigningSets,
  type RecordToSign,
  type SigningSet,
  type SigningNeeds,
} from './signing-ground-store.js';
import type { ZoneToSign } from './signing-store.js';
import type { ZoneBeingSigned } from './zone-being-signed.js';

/** Name with its position in the chain and its content. */
interface ReadName {
  readonly name: string;
  readonly place: ChainPosition;
  /**
   * Content to sign. Undefined if there is none, or the name is below a zone cut or a DNAME record. A cut is NS of a
   * user (not at a wildcard, RFC 4592 s4.2), or another hosted zone.
   */
  readonly content: NameContent | undefined;
}

/** Records that are not written or deleted yet. The result is as if they were. */
export interface UnwrittenRecords {
  readonly gone: readonly UnwrittenRecord[];
  readonly come: readonly UnwrittenRecord[];
}

type UnwrittenRecord = Pick<ZoneRecord, 'name' | 'type' | 'ttl' | 'rdata'>;

/** Reads the signing set of a zone, in one statement with the signing sets of other zones. */
export type ReadSigningSet = (needs: SigningNeeds) => Promise<SigningSet>;

interface ZoneToRead {
  readonly zone: ZoneToSign;
  readonly state: SigningState;
  /** The records contain no NS and no DNAME, since names that hide others are read from the database. */
  readonly unwritten?: UnwrittenRecords | undefined;
  /** Undefined if the transaction reads the zone. */
  readonly readSet?: ReadSigningSet | undefined;
}

const NAMES_AT_ONCE = 1_000;

/** Reads the data at some names of a zone with its new serial. The zone is locked, or read in one snapshot. */
export async function readNames(
  trx: Database,
  zone: ZoneToRead,
  names: readonly string[],
): Promise<{ being: ZoneBeingSigned; read: ReadName[] }> {
  const [first = [], ...rest] = partsOf(names);
  const { being, read } = await readPart(trx, zone, first);
  for (const part of rest) {
    for (const one of (await readPart(trx, zone, part)).read) read.push(one);
  }
  return { being, read };
}

async function readPart(
  trx: Database,
  { zone, state, unwritten, readSet = (needs) => readAlone(trx, needs) }: ZoneToRead,
  names: readonly string[],
): Promise<{ being: ZoneBeingSigned; read: ReadName[] }> {
  const apexName = nameToWire(zone.name);
  const above = new Map(names.map((name) => [name, ancestorsInZone(name, zone.name)]));
  const between = [...new Set([...above.values()].flat())];
  const ground = await readSet({
    ...{ zoneId: zone.id, ttl: zone.ttl, names, between },
    keys: names.map((name) => canonicalKey(nameToWire(name), apexName)),
    zoneNames: [...new Set([...names, ...between])].filter((name) => name !== zone.name),
    apexOf: unwritten === undefined ? 'row' : 'next-row',
  });
  const { apex, apexVersion, keys, children } = ground;
  if (apex === undefined) throw new Error('A secondary zone is signed at its primaries.');
  const being: ZoneBeingSigned = {
    ...{ zone, apexName, apex, apexVersion, keys },
    provided: managedAtApex({ zone, apexName, apex, state, keys }),
    nsecTtl: Math.min(zone.ttl, apex.soa.minimumSeconds),
  };
  const records = groupByName(withUnwritten(ground.records, zone, unwritten));
  const childrenByName = new Map(children.map((child) => [child.name, child]));
  const hiding = new Set([...ground.hiding.filter(isNotWildcard), ...childrenByName.keys()]);
  const contentAt = (name: string) => {
    if (above.get(name)?.some((each) => hiding.has(each)) === true) return undefined;
    const provided = providedAt(name, being, childrenByName.get(name));
    return toNameContent({ name, apex: zone.name, records: records.get(name) ?? [], provided });
  };
  const read = names.flatMap((name, at) => {
    const place = ground.places[at];
    return place === undefined ? [] : { name, place, content: contentAt(name) };
  });
  return { being, read };
}

async function readAlone(trx: Database, needs: SigningNeeds): Promise<SigningSet> {
  const [ground] = await readSigningSets(trx, [needs]);
  return ground;
}

function withUnwritten(
  records: readonly RecordToSign[],
  { ttl }: ZoneToSign,
  unwritten: UnwrittenRecords = { gone: [], come: [] },
): RecordToSign[] {
  const isGone = (record: RecordToSign) =>
    unwritten.gone.some(
      ({ name, type, rdata }) =>
        name === record.name && type === record.type && record.rdata.equals(rdata),
    );
  const come = unwritten.come.map((record) => ({ ...record, ttl: record.ttl ?? ttl }));
  return [...records.filter((record) => !isGone(record)), ...come];
}

function providedAt(
  name: string,
  being: ZoneBeingSigned,
  child: HostedChild | undefined,
): readonly Rrset[] {
  if (name === being.zone.name) return being.provided;
  return child === undefined ? [] : managedAtChild(nameToWire(name), being, child.dsKeys);
}

/** Returns the ancestors of a name, up to the apex. */
function ancestorsInZone(name: string, apex: string): string[] {
  return ancestorsOf(name).filter((each) => each.length >= apex.length);
}

function groupByName(records: readonly RecordToSign[]): Map<string, RecordToSign[]> {
  const groups = new Map<string, RecordToSign[]>();
  for (const record of records) {
    const group = groups.get(record.name);
    if (group === undefined) groups.set(record.name, [record]);
    else group.push(record);
  }
  return groups;
}

function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += NAMES_AT_ONCE)
    yield items.slice(at, at + NAMES_AT_ONCE);
}

interface NameInZone {
  readonly name: string;
  /** Name of the zone. */
  readonly apex: string;
  /** Records of users at the name. */
  readonly records: readonly RecordToSign[];
  /** Managed RRsets at the name. */
  readonly provided: readonly Rrset[];
}

/**
 * Returns the content of a name to sign. Undefined if it is empty. Managed records and users' records of one type
 * form one RRset with one signature, so an RRset that is stored with its signature contains both.
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

/** Whether users' records of the type can only come from an earlier, signed primary. */
function isOfEarlierPrimary(type: number): boolean {
  return type === RR_TYPE.SOA || isSigningType(type);
}

/**
 * Whether the name is not a wildcard: NS does not delegate there, and DNAME does not substitute (RFC 4592 s4.2, s4.4).
 */
function isNotWildcard(name: string): boolean {
  return !name.startsWith('*.');
}

/** Returns RRsets with one TTL each, the lowest (RFC 2181 s5.2), and without duplicate rdata. */
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
