import type { Database } from '@zonewright/database';
import { ancestorsOf, nameToWire, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import { canonicalRdatas, type NameContent, type Rrset } from '@zonewright/dns-records/dnssec';
import {
  listAnnouncedKeys,
  listHostedChildren,
  listNamesWithNs,
  listRecordsAt,
  type HostedChild,
  type RecordToSign,
} from './owner-name-store.js';
import { providedAtChild } from './provided-rrsets.js';
import type { ZoneBeingSigned } from './zone-being-signed.js';

/**
 * What stands now at some names of a zone, as it is to be signed; undefined: nothing, or the name lies below a cut, which is
 * NS that a user has written (not at a wildcard, RFC 4592 s4.2), or another zone that is hosted here.
 */
export async function readNames(
  trx: Database,
  being: ZoneBeingSigned,
  names: readonly string[],
): Promise<ReadonlyMap<string, NameContent | undefined>> {
  const { zone } = being;
  const records = groupByName(await listRecordsAt(trx, zone, names));
  const between = new Set(names.flatMap((name) => ancestorsBelowApex(name, zone.name)));
  const children = await readChildren(trx, [...new Set([...names, ...between])], zone.name);
  const cuts = new Set([
    ...(await listNamesWithNs(trx, zone.id, [...between])).filter(isNotWildcard),
    ...children.keys(),
  ]);
  return new Map(
    names.map((name) => {
      if (ancestorsBelowApex(name, zone.name).some((each) => cuts.has(each))) {
        return [name, undefined];
      }
      const provided = name === zone.name ? being.provided : (children.get(name)?.(being) ?? []);
      return [name, toContent(name, records.get(name) ?? [], provided, zone.name)];
    }),
  );
}

/** The names between a name and the apex. */
function ancestorsBelowApex(name: string, apex: string): string[] {
  return ancestorsOf(name).filter((each) => each.length > apex.length);
}

type Children = ReadonlyMap<string, (being: ZoneBeingSigned) => Rrset[]>;

/** What is provided where hosted zones begin. */
async function readChildren(
  trx: Database,
  names: readonly string[],
  apex: string,
): Promise<Children> {
  const children = await listHostedChildren(
    trx,
    names.filter((name) => name !== apex),
  );
  const signed = children.filter(hasDs).flatMap(({ id }) => id ?? []);
  const keys = await listAnnouncedKeys(trx, signed);
  return new Map(
    children.map(({ id, name }) => [
      name,
      (being) => providedAtChild(nameToWire(name), being, keys.get(id ?? '') ?? []),
    ]),
  );
}

/** A zone that leaves is insecure from the moment at which it says so. */
function hasDs({ state }: HostedChild): boolean {
  return state === 'signed';
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
