import { flagMembers, type RecordFields } from '@zonewright/zones';

/** A record by itself, as DNS API s4 shows it: null where nothing is set (D-ZONE-6). */
export function renderRecord(record: RecordFields, hasFlags = false) {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    ttl: record.ttl,
    priority: record.priority,
    description: record.description,
    domain_id: record.zoneId,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    ...(hasFlags ? flagMembers(record.flags ?? undefined) : {}),
  };
}

/**
 * A record among others. DNS API s2 shows tenant_id and version there alone: python-designateclient, which refuses a
 * record with a member that it does not know, creates, reads and updates records one by one.
 */
export function renderListedRecord(record: RecordFields, tenantId: string, hasFlags = false) {
  return { ...renderRecord(record, hasFlags), tenant_id: tenantId, version: record.version };
}
