import { isAtOrBelow, nameToWire, RR_TYPE, wireToName } from '@zonewright/dns-records';
import type { ZoneContent, ZoneRecord } from '../../src/compile/zone-tree.js';
import { dsOf, signZone } from './sign-zone.js';
import { readConformanceZones } from './zones.js';

/** Stays as it is: a hosted child that is not signed. */
const UNSIGNED = 'a.between.open.corp.test.';

/**
 * The zones of this folder, signed. Where one is the parent of another it says so, as the service does: with the child's NS,
 * and its DS if that is signed.
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
