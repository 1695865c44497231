import type { ShownRecord } from './record.js';

/** A record as DNS API s2 shows it: every member, null where nothing is set (decisions 3). */
export function renderRecord(record: ShownRecord, tenantId: string) {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    ttl: record.ttl,
    priority: record.priority,
    description: record.description,
    domain_id: record.zoneId,
    tenant_id: tenantId,
    version: record.version,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
