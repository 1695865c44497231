import { ancestorsOf } from '@zonewright/dns-records';
import { forEachInSlices } from '@zonewright/service-kit';
import type { RecordKey } from '../rows/record-store.js';
import { beginning, type RecordChange, served, type Violation } from './record-change.js';
import type { DnameFacts, RuleFacts } from './future-names.js';

/** Position of everything that existed before the changes. */
const EARLIER = -1;

/** Returns the owners of DNAME records that the changes start to serve. */
export function newDnames(changes: readonly RecordChange[]): string[] {
  const owners = changes.map(beginning).filter((record) => record?.type === 'DNAME');
  return [...new Set(owners.flatMap((record) => record?.name ?? []))];
}

/**
 * Finds the names that new DNAME records would hide after all changes.
 *
 * @param stored records below the owners of new DNAME records, before the changes
 * @param childZones zones of this service below the zone
 */
export async function findOccluded(
  changes: readonly RecordChange[],
  stored: readonly Pick<RecordKey, 'id' | 'name'>[],
  childZones: Iterable<string>,
): Promise<DnameFacts> {
  const occluded = new Map<string, { name: string; position: number }>();
  const positions = new Map<string, number>();
  const owners = new Set(newDnames(changes));
  if (owners.size === 0) return { occluded, positions };
  const note = (name: string, position: number) => {
    for (const owner of ancestorsOf(name)) {
      if (!owners.has(owner)) continue;
      if (position < (occluded.get(owner)?.position ?? Infinity)) {
        occluded.set(owner, { name, position });
      }
    }
  };
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  await forEachInSlices(stored, ({ id, name }) => {
    if (!gone.has(id)) note(name, EARLIER);
  });
  for (const name of childZones) note(name, EARLIER);
  await forEachInSlices(changes.entries(), ([position, change]) => {
    const { after } = served(change);
    if (after === undefined) return;
    const isNew = beginning(change) !== undefined;
    if (isNew) positions.set(after.id, position);
    note(after.name, isNew ? position : EARLIER);
  });
  return { occluded, positions };
}

/**
 * Rejects records that a DNAME record excludes (RFC 6672 sections 2.3 and 2.4). These are a second DNAME record at its
 * name, NS records at its name except at the apex, and all records below it. If records exclude each other, the first
 * one stays. Records of a former primary can still be edited.
 */
export function checkDname(
  facts: Pick<RuleFacts, 'zone' | 'future' | 'dnames'>,
  change: RecordChange,
): Violation[] {
  const after = beginning(change);
  if (after === undefined) return [];
  const message =
    dnameAboveFault(facts, after) ?? occludedFault(facts, after) ?? besideFault(facts, after);
  return message === undefined
    ? []
    : [{ change, kind: 'invalid', problem: { path: 'name', validator: 'dname', message } }];
}

type Checked = Pick<RecordKey, 'id' | 'name' | 'type'>;

function dnameAboveFault(
  { zone, future, dnames }: Pick<RuleFacts, 'zone' | 'future' | 'dnames'>,
  { id, name }: Checked,
): string | undefined {
  const position = dnames.positions.get(id) ?? Infinity;
  const owner = ancestorsOf(name).find((each) => {
    const above = each.length < zone.name.length ? undefined : future.get(each)?.dname;
    return above !== undefined && (dnames.positions.get(above.id) ?? EARLIER) < position;
  });
  if (owner === undefined) return undefined;
  return `${JSON.stringify(name)} is below the DNAME record of ${JSON.stringify(owner)}, which hides it. Delete the DNAME record first, or create the record below its target.`;
}

function occludedFault(
  { dnames }: Pick<RuleFacts, 'dnames'>,
  { id, name, type }: Checked,
): string | undefined {
  const found = type === 'DNAME' ? dnames.occluded.get(name) : undefined;
  if (found === undefined || found.position > (dnames.positions.get(id) ?? Infinity)) {
    return undefined;
  }
  return `A DNAME record hides all names below it, but ${JSON.stringify(found.name)} exists below ${JSON.stringify(name)}. Delete all records and domains below ${JSON.stringify(name)} first.`;
}

function besideFault(
  { zone, future }: Pick<RuleFacts, 'zone' | 'future'>,
  { id, name, type }: Checked,
): string | undefined {
  const there = future.get(name);
  if (type === 'DNAME' && there?.dname !== undefined && there.dname.id !== id) {
    return `${JSON.stringify(name)} already has a DNAME record, and a name can have only one. Change or delete the existing one.`;
  }
  if (name === zone.name || (type !== 'DNAME' && type !== 'NS')) return undefined;
  const other = type === 'NS' ? 'DNAME' : 'NS';
  const first = (each: string) => there?.rrset(each)?.first ?? Infinity;
  if (first(other) > first(type)) return undefined;
  return `A name below the apex cannot have both DNAME and NS records, but ${JSON.stringify(name)} has ${other} records. Delete these first.`;
}
