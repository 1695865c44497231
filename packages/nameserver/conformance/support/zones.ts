import { nameToWire, parseZoneText, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ZoneContent } from '../../src/compile/zone-tree.js';

/** `conformance/zones`, of which each file `NAME.zone` holds the zone of that name. */
export const ZONES_FOLDER = join(import.meta.dirname, '../zones');

/** The zones that every test of this folder asks about, and that another server must be given to be compared. */
export function readConformanceZones(): ZoneContent[] {
  return readdirSync(ZONES_FOLDER)
    .filter((file) => file.endsWith('.zone'))
    .map((file) => {
      const apex = `${file.slice(0, -'.zone'.length)}.`;
      return parseZone(apex, readFileSync(join(ZONES_FOLDER, file), 'utf8'));
    });
}

/** A zone from zone-file text; throws if there is anything in it that cannot be read. */
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
