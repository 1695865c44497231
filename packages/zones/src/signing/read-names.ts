import type { Database } from '@zonewright/database';
import { ancestorsOf, nameToWire, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import {
  canonicalKey,
  canonicalRdatas,
  type ChainPlace,
  type NameContent,
  type Rrset,
} from '@zonewright/dns-records/dnssec';
import { providedAtApex, providedAtChild } from './provided-rrsets.js';
import { type HostedChild, readSigningGround, type RecordToSign } from './signing-ground-store.js';
import type { ZoneToSign } from './signing-store.js';
import type { SigningState } from '../rows/signing-state.js';
import type { ZoneBeingSigned } from './zone-being-signed.js';

/** A name, where it is in the chain, and what stands there. */
interface ReadName {
  readonly name: string;
  readonly place: ChainPlace;
  /**
   * As it is to be signed; undefined: nothing, or the name lies below a cut, which is NS that a user has written (not at a wildcard,
   * RFC 4592 s4.2), or another zone that is hosted here.
   */
  readonly content: NameContent | undefined;
}

const NAMES_AT_ONCE = 1_000;

/** A zone with its new serial, held or as one snapshot has it, and what stands now at some names of it. */
export async function readNames(
  trx: Database,
  { zone, state }: { readonly zone: ZoneToSign; readonly state: SigningState },
  names: readonly string[],
): Promise<{ being: ZoneBeingSigned; read: ReadName[] }> {
  const [first = [], ...rest] = partsOf(names);
  const { being, read } = await readPart(trx, { zone, state }, first);
  for (const part of rest) {
    for (const one of (await readPart(trx, { zone, state }, part)).read) read.push(one);
  }
  return { being, read };
}

async function readPart(
  trx: Database,
  { zone, state }: { readonly zone: ZoneToSign; readonly state: SigningState },
  names: readonly string[],
): Promise<{ being: ZoneBeingSigned; read: ReadName[] }> {
  const apexName = nameToWire(zone.name);
  const above = new Map(names.map((name) => [name, ancestorsBelowApex(name, zone.name)]));
  const between = [...new Set([...above.values()].flat())];
  const ground = await readSigningGround(trx, {
    ...{ zoneId: zone.id, ttl: zone.ttl, names, between },
    keys: names.map((name) => canonicalKey(nameToWire(name), apexName)),
    zoneNames: [...new Set([...names, ...between])].filter((name) => name !== zone.name),
  });
  const { apex, keys, children } = ground;
  if (apex === undefined) throw new Error('Primaries of a secondary zone sign it.');
  const being: ZoneBeingSigned = {
    ...{ zone, apexName, apex, keys },
    provided: providedAtApex({ zone, apexName, apex, state, keys }),
    nsecTtl: Math.min(zone.ttl, apex.soa.minimumSeconds),
  };
  const records = groupByName(ground.records);
  const childrenByName = new Map(children.map((child) => [child.name, child]));
  const cuts = new Set([...ground.withNs.filter(isNotWildcard), ...childrenByName.keys()]);
  const contentAt = (name: string) => {
    if (above.get(name)?.some((each) => cuts.has(each)) === true) return undefined;
    const provided = providedAt(name, being, childrenByName.get(name));
    return toContent(name, records.get(name) ?? [], provided, zone.name);
  };
  const read = names.flatMap((name, at) => {
    const place = ground.places[at];
    return place === undefined ? [] : { name, place, content: contentAt(name) };
  });
  return { being, read };
}

function providedAt(
  name: string,
  being: ZoneBeingSigned,
  child: HostedChild | undefined,
): readonly Rrset[] {
  if (name === being.zone.name) return being.provided;
  return child === undefined ? [] : providedAtChild(nameToWire(name), being, child.dsKeys);
}

/** The names between a name and the apex. */
function ancestorsBelowApex(name: string, apex: string): string[] {
  return ancestorsOf(name).filter((each) => each.length > apex.length);
}

function toContent(
  name: string,
  records: readonly RecordToSign[],
  provided: readonly Rrset[],
  apex: string,
): NameContent | undefined {
  if (records.length + provided.length === 0) return undefined;
  const rrsets = toRrsets(records, provided);
  const hasNs = rrsets.some(({ type }) => type === RR_TYPE.NS);
  return {
    rrsets,
    // One RRset has one TTL, whoever wrote its records.
    provided: provided.map((own) => ({
      ...own,
      ttl: rrsets.find(({ type }) => type === own.type)?.ttl ?? own.ttl,
    })),
    isCut: name !== apex && hasNs && isNotWildcard(name),
  };
}

/** One TTL for an RRset, the lowest (RFC 2181 s5.2); each rdata once. */
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
    if (number === undefined) throw new Error(`There is no record type ${type}.`);
    add(number, ttl, [rdata]);
  }
  return [...byType].map(([type, { ttl, rdatas }]) => ({
    type,
    ttl,
    rdatas: canonicalRdatas({ type, ttl, rdatas }),
  }));
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

function isNotWildcard(name: string): boolean {
  return !name.startsWith('*.');
}

function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += NAMES_AT_ONCE)
    yield items.slice(at, at + NAMES_AT_ONCE);
}
