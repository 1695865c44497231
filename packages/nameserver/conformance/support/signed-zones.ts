import { isAtOrBelow, nameToWire, RR_TYPE, wireToName } from '@zonewright/dns-records';
import type { ZoneContent, ZoneRecord } from '../../src/compile/zone-tree.js';
import { dsOf, signZone } from './sign-zone.js';
import { readConformanceZones } from './zones.js';

/** The apex of a hosted child zone that is not signed. */
const UNSIGNED = 'a.between.open.corp.test.';

/**
 * Returns the zones of this folder, signed. A parent zone contains the delegation of its child as in the service: the
 * child's NS records, and its DS if it is signed.
 */
export function signConformanceZones(): ZoneContent[] {
  const zones = readConformanceZones().map((zone) => ({ name: wireToName(zone.apex), zone }));
  return zones.map(({ name, zone }) => {
    if (name === UNSIGNED) return zone;
    const children = zones.filter((one) => one.name !== name && isAtOrBelow(one.name, name));
    const cuts = children.flatMap((child) => toCut(child.name, child.zone));
    return signZone({ ...zone, records: [...zone.records, ...cuts] });
  });
}

function toCut(name: string, { records }: ZoneContent): ZoneRecord[] {
  const owner = nameToWire(name);
  const ns = [...records].filter(
    (record) => record.type === RR_TYPE.NS && wireToName(record.owner) === name,
  );
  const ds = { owner, type: RR_TYPE.DS, ttl: 600, rdata: dsOf(name) };
  return name === UNSIGNED ? ns : [...ns, ds];
}
