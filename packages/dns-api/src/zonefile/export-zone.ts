import { Readable } from 'node:stream';
import type { Database } from '@zonewright/database';
import { formatZoneLines, formatZoneRecord, type ZoneTextSource } from '@zonewright/dns-records';
import type { Context } from '../context.js';
import { type FileSource, getZone, listForFile, listServers, type Zone } from '@zonewright/zones';
import type { TenantRequest } from '../http/operation.js';
import type { ApiReply } from '../http/reply.js';
import { forEachInSlices } from '@zonewright/service-kit';
import { soaData } from './start-of-authority.js';

/** RFC 4027. */
export const ZONE_FILE_TYPE = 'text/dns';

/** A domain as a zone file that other servers load: with the SOA and the NS records that this service provides. */
export async function exportZoneReply(
  { db }: Context,
  { caller, params }: TenantRequest,
): Promise<ApiReply> {
  const lines = await db.transaction(
    async (trx) => {
      const zone = await getZone(trx, caller.tenantId, params['domainId'] ?? '');
      return await readLines(trx, zone);
    },
    // One look: the serial belongs to these records.
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  const head = { status: 200, headers: { 'Content-Type': ZONE_FILE_TYPE } };
  return lines.length <= LINES_PER_PIECE
    ? { ...head, body: lines.join('') }
    : { ...head, body: Readable.from(joined(lines)) };
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

/** So many lines leave together. */
const LINES_PER_PIECE = 500;

function* joined(lines: readonly string[]): Generator<string> {
  for (let from = 0; from < lines.length; from += LINES_PER_PIECE) {
    yield lines.slice(from, from + LINES_PER_PIECE).join('');
  }
}
