import { ancestorsOf } from '@zonewright/dns-records';
import type { ZoneRecord } from '../rows/record.js';
import type { RuleFacts } from './future-names.js';
import { beginning, type RecordChange, served, type Violation } from './record-change.js';

/**
 * Rejects a DS record at a name without a delegation (RFC 4035 section 2.4): NS records, or a child zone that has
 * primaries. Records of a former primary can still be edited.
 */
export function checkDelegation(
  { future, childZones }: Pick<RuleFacts, 'future' | 'childZones'>,
  change: RecordChange,
): Violation[] {
  const after = beginning(change);
  if (after?.type !== 'DS' || future.get(after.name)?.hasDelegation === true) return [];
  if (childZones.get(after.name) === 'secondary') return [];
  const message = `A DS record needs NS records of a child zone at the same name. Create NS records of ${JSON.stringify(after.name)} first.`;
  return [{ change, kind: 'invalid', problem: { path: 'name', validator: 'delegation', message } }];
}

/** Returns names at which the changes stop serving an NS record. */
export function endedDelegations(changes: readonly RecordChange[]): string[] {
  const names = changes.map(served).flatMap(({ before, after }) => {
    const isEnded = before?.type === 'NS' && !(after?.type === 'NS' && after.name === before.name);
    return isEnded ? [before.name] : [];
  });
  return [...new Set(names)];
}

/**
 * Deletes DS records whose delegation ends with the changes: without NS records, resolvers treat a name with DS as
 * bogus.
 *
 * @param stored all served records at `endedDelegations`
 */
export function removeOrphanedDs(
  changes: readonly RecordChange[],
  stored: readonly ZoneRecord[],
): RecordChange[] {
  const changed = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  const left = stored.filter(({ id }) => !changed.has(id));
  const come = changes.flatMap((change) => served(change).after ?? []);
  const delegated = new Set(
    [...left, ...come].filter(({ type }) => type === 'NS').map(({ name }) => name),
  );
  return left
    .filter(({ type, name }) => type === 'DS' && !delegated.has(name))
    .map((before) => ({ before, after: undefined }));
}

type Parent = Pick<RuleFacts['zone'], 'name'>;

/** Returns names that may be child zones: those at or above newly served records, and those of DS records. */
export function possibleChildZones(zone: Parent, changes: readonly RecordChange[]): string[] {
  return changes.flatMap((change) => {
    const name = newlyServedName(change);
    if (name !== undefined) return namesBelowZone(name, zone);
    const { after } = served(change);
    return after?.type === 'DS' ? [after.name] : [];
  });
}

/**
 * Rejects records inside a child zone of this service: they belong to the child (RFC 1034 section 4.2.1). Records that are
 * older than the child zone can still be edited.
 *
 * A DS record at the cut belongs to the parent (RFC 4035 section 2.4). It is accepted if the child's primaries sign the child; DS
 * records of children that are signed here are published without it.
 */
export function checkChildZone(
  { zone, childZones }: { readonly zone: Parent } & Pick<RuleFacts, 'childZones'>,
  change: RecordChange,
): Violation[] {
  const name = newlyServedName(change);
  if (childZones.size === 0 || name === undefined) return [];
  const child = namesBelowZone(name, zone).find((each) => childZones.has(each));
  if (child === undefined) return [];
  const isDsAtCut = child === name && change.after?.type === 'DS';
  if (isDsAtCut && childZones.get(child) === 'secondary') return [];
  const message = isDsAtCut
    ? `name is the domain ${JSON.stringify(child)} of this service; sign that domain to publish its DS records here.`
    : `name is inside the child domain ${JSON.stringify(child)}; create the record there.`;
  return [
    { change, kind: 'invalid', problem: { path: 'name', validator: 'childDomain', message } },
  ];
}

/** Returns the name at which the change starts to serve a record. */
function newlyServedName(change: RecordChange): string | undefined {
  const { before, after } = served(change);
  return after?.name === before?.name ? undefined : after?.name;
}

/** Returns the name and its ancestors below the zone. */
function namesBelowZone(name: string, zone: Parent): string[] {
  return [name, ...ancestorsOf(name)].filter((each) => each.length > zone.name.length);
}
