import { nameToWire, parseZoneText, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ZoneContent } from '../../src/compile/zone-tree.js';

/** The folder `conformance/zones`, in which each file `NAME.zone` contains the zone with this name. */
export const ZONES_FOLDER = join(import.meta.dirname, '../zones');

/** Reads the zones that the tests of this folder use. Another server must serve them, too, to be compared. */
export function readConformanceZones(): ZoneContent[] {
  return readdirSync(ZONES_FOLDER)
    .filter((file) => file.endsWith('.zone'))
    .map((file) => {
      const apex = `${file.slice(0, -'.zone'.length)}.`;
      return parseZone(apex, readFileSync(join(ZONES_FOLDER, file), 'utf8'));
    });
}

/** Parses a zone file; throws an error if it contains anything invalid. */
export function parseZone(apex: string, text: string): ZoneContent {
  const { records, problems } = parseZoneText(text, { origin: apex });
  if (problems.length > 0) throw new Error(`${apex}: ${JSON.stringify(problems)}`);
  const soa = records.find(({ type }) => type === 'SOA');
  return {
    apex: nameToWire(apex),
    serial: Number(soa?.data.split(' ')[2]),
    records: records.map(({ ownerName, type, ttl, rdata }) => ({
      owner: nameToWire(ownerName),
      type: typeNumber(type) ?? RR_TYPE.ANY,
      ttl,
      rdata,
    })),
  };
}
