import type { Database } from '@zonewright/database';
import { formatZoneLines, formatZoneRecord, type ZoneTextSource } from '@zonewright/dns-records';
import { getZone } from '../domains/get-zone.js';
import type { Zone } from '../rows/zone.js';
import { listServers } from '../nameservers/nameserver-store.js';
import { type FileSource, listForFile } from '../rows/record-store.js';
import { forEachInSlices } from '@zonewright/service-kit';
import { soaData } from './start-of-authority.js';

/**
 * The lines of a zone file that other servers load: with the SOA and the NS records that this service provides.
 *
 * @throws ServiceError `not-found`.
 */
export async function exportZone(
  db: Database,
  tenantId: string,
  id: string,
): Promise<readonly string[]> {
  return await db.transaction(
    async (trx) => await readLines(trx, await getZone(trx, tenantId, id)),
    // One look: the serial belongs to these records.
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function readLines(trx: Database, zone: Zone): Promise<readonly string[]> {
  const servers = await listServers(trx);
  const own = (type: string, data: string): ZoneTextSource => ({
    ownerName: zone.name,
    type,
    ttl: null,
    data,
    priority: null,
  });
  const format = (records: readonly ZoneTextSource[]) =>
    formatZoneLines({ origin: zone.name, defaultTtl: zone.ttl, records });
  const lines = [
    ...format([
      own('SOA', soaData(zone, servers[0]?.name ?? '.')),
      ...servers.map(({ name }) => own('NS', name)),
    ]),
  ];
  // Only the text of the records that were read is kept.
  for (let last: FileSource | undefined; ;) {
    const records = await listForFile(trx, zone.id, last);
    last = records.at(-1);
    if (last === undefined) return lines;
    await forEachInSlices(records, (record) => {
      lines.push(formatZoneRecord({ ...record, ownerName: record.name }, zone.name));
    });
  }
}
