import type { RecordImage } from '@zonewright/database';
import { flagMembers } from '../rows/record-flags.js';
import type { ZoneRecord } from '../rows/record.js';

export function toRecordImage(record: ZoneRecord): RecordImage & { readonly data: string } {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    ttl: record.ttl,
    priority: record.priority,
    description: record.description,
    version: record.version,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    ...(record.flags === undefined ? {} : flagMembers(record.flags)),
  };
}
