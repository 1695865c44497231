import { ancestorsOf } from '@zonewright/dns-records';
import type { Zone } from '../../rows/zone.js';
import type { RecordChange } from '../changes/record-change.js';
import type { Breach } from './violation.js';

/** The names of all zones in which one of the changes may place a record instead of in this one. */
export function possibleChildZones(zone: Zone, written: readonly RecordChange[]): string[] {
  return written.filter(isPlaced).flatMap((change) => namesBelowZone(change, zone));
}

/**
 * decisions 3: a record does not stand inside a child domain that exists here; it belongs there.
 *
 * @param children the zones below this one, or at least those of possibleChildZones.
 */
export function checkChildZone(
  zone: Zone,
  change: RecordChange,
  children: ReadonlySet<string>,
): Breach[] {
  if (children.size === 0 || !isPlaced(change)) return [];
  const child = namesBelowZone(change, zone).find((name) => children.has(name));
  if (child === undefined) return [];
  const message = `name lies inside the child domain ${JSON.stringify(child)}; create the record there.`;
  return [
    { change, kind: 'invalid', problem: { path: 'name', validator: 'childDomain', message } },
  ];
}

/** What stands at such a name since before the child was created may go on to be edited. */
function isPlaced({ before, after }: RecordChange): boolean {
  return before?.name !== after?.name;
}

/** The record's name and those above it, down to, and without, the zone's. */
function namesBelowZone({ after }: RecordChange, zone: Zone): string[] {
  if (after === undefined) return [];
  return [after.name, ...ancestorsOf(after.name)].filter((each) => each.length > zone.name.length);
}
