import { formatZoneLines, type ZoneTextSource } from '@zonewright/dns-records';
import type { Context } from '../context.js';
import { getZone } from '../domains/get-zone.js';
import type { TenantRequest } from '../http/operation.js';
import type { StoredReply } from '../http/reply.js';
import { listAllRecords } from '../records/record-store.js';
import { listServers } from '../servers/server-store.js';
import { soaData } from './start-of-authority.js';

/** RFC 4027. */
export const ZONE_FILE_TYPE = 'text/dns';

/** A domain as a zone file that other servers load: with the SOA and the NS records that this service provides. */
export async function exportZoneReply(
  { db }: Context,
  { caller, params }: TenantRequest,
): Promise<StoredReply> {
  const { zone, servers, records } = await db.transaction(
    async (trx) => {
      const found = await getZone(trx, caller.tenantId, params['domainId'] ?? '');
      return {
        zone: found,
        servers: await listServers(trx),
        records: await listAllRecords(trx, found.id),
      };
    },
    // One look: the serial belongs to these records.
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  const own = (type: string, data: string): ZoneTextSource => ({
    ownerName: zone.name,
    type,
    ttl: null,
    data,
    priority: null,
  });
  const lines = formatZoneLines({
    origin: zone.name,
    defaultTtl: zone.ttl,
    records: [
      own('SOA', soaData(zone, servers[0]?.name ?? '.')),
      ...servers.map(({ name }) => own('NS', name)),
      ...records.map((record) => ({ ...record, ownerName: record.name })),
    ],
  });
  return {
    status: 200,
    headers: { 'Content-Type': ZONE_FILE_TYPE },
    body: [...lines].join(''),
  };
}
