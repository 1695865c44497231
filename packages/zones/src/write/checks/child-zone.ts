import { ancestorsOf } from '@zonewright/dns-records';
import { type RecordChange, served } from '../changes/record-change.js';
import type { RuleFacts } from './rule-facts.js';
import type { Violation } from './violation.js';

type Parent = Pick<RuleFacts['zone'], 'name'>;

/** Names that may be child zones: at or above those at which the changes begin to serve a record, and those of DS records. */
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
    ? `name is that of the domain ${JSON.stringify(child)}; sign that domain, and its DS records are published here.`
    : `name lies inside the child domain ${JSON.stringify(child)}; create the record there.`;
  return [
    { change, kind: 'invalid', problem: { path: 'name', validator: 'childDomain', message } },
  ];
}

/** Name at which the change begins to serve a record. */
function newlyServedName(change: RecordChange): string | undefined {
  const { before, after } = served(change);
  return after?.name === before?.name ? undefined : after?.name;
}

/** The name and those above it, without that of the zone and those above that. */
function namesBelowZone(name: string, zone: Parent): string[] {
  return [name, ...ancestorsOf(name)].filter((each) => each.length > zone.name.length);
}
