import type { Database } from '@zonewright/database';
import {
  apexRecords,
  formatZoneLines,
  formatZoneRecord,
  type ZoneTextSource,
} from '@zonewright/dns-records';
import { getZoneApex } from '../rows/nameserver-store.js';
import type { Viewer } from '../request/caller.js';
import { getZone } from '../rows/get-zone.js';
import type { Zone } from '../rows/zone.js';
import { type FileSource, listDisabled, listForFile } from '../rows/record-store.js';
import { forEachInSlices } from '@zonewright/service-kit';

/**
 * Yields the lines of a zone file for other servers, with the SOA and NS records of this service.
 *
 * @throws ServiceError `not-found`
 */
export async function exportZone(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<readonly string[]> {
  return await db.transaction(
    async (trx) => await readLines(trx, await getZone(trx, viewer, id)),
    // A single snapshot ensures that the serial belongs to the records.
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function readLines(trx: Database, zone: Zone): Promise<readonly string[]> {
  const { email, serial } = zone;
  const apex = await getZoneApex(trx, zone.id);
  const provided = apex === undefined ? [] : apexRecords({ email, serial, ...apex });
  const own: ZoneTextSource[] = provided.map((record) => ({
    ...record,
    ownerName: zone.name,
    ttl: null,
    priority: null,
  }));
  const lines = [...formatZoneLines({ origin: zone.name, defaultTtl: zone.ttl, records: own })];
  // Only the text of the records stays in memory.
  for (let last: FileSource | undefined; ;) {
    const records = await listForFile(trx, zone.id, last);
    last = records.at(-1);
    if (last === undefined) break;
    await forEachInSlices(records, (record) => {
      lines.push(formatZoneRecord({ ...record, ownerName: record.name }, zone.name));
    });
  }
  // Disabled records are written as comments, which other programs and an import ignore.
  await forEachInSlices(await listDisabled(trx, zone.id), (record) => {
    const text = formatZoneRecord({ ...record, ownerName: record.name }, zone.name);
    lines.push(`; disabled: ${text}`);
  });
  return lines;
}
