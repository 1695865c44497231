import type { Database } from '@zonewright/database';
import { ancestorsOf } from '../domains/ancestors.js';
import type { Zone } from '../domains/zone.js';
import { listZonesNamed } from '../domains/zone-store.js';
import type { RecordChange } from './record-change.js';
import type { Breach } from './record-rules.js';

/** decisions 3: a record does not stand inside a child domain that exists here; it belongs there. */
export async function checkChildZones(
  trx: Database,
  zone: Zone,
  written: readonly RecordChange[],
): Promise<Breach[]> {
  // What stands at such a name since before the child was created may go on to be edited.
  const placed = written.filter(({ before, after }) => before?.name !== after?.name);
  const names = placed.map(({ after }) => namesBelowZone(after?.name ?? '', zone.name));
  const candidates = [...new Set(names.flat())];
  if (candidates.length === 0) return [];
  const children = new Set((await listZonesNamed(trx, candidates)).map(({ name }) => name));
  return placed.flatMap((change, at) => {
    const child = (names[at] ?? []).find((name) => children.has(name));
    if (child === undefined) return [];
    const message = `name lies inside the child domain ${JSON.stringify(child)}; create the record there.`;
    return [
      { change, kind: 'invalid', problem: { path: 'name', validator: 'childDomain', message } },
    ];
  });
}

/** The name itself and those above it, down to, and without, the zone's. */
function namesBelowZone(name: string, zoneName: string): string[] {
  return [name, ...ancestorsOf(name)].filter((each) => each.length > zoneName.length);
}
