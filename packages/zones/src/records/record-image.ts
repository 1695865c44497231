import type { RowImage } from '../journal/journal-store.js';
import type { ZoneRecord } from './record.js';

/** A record as the journal keeps it: all that it takes to bring it back; the wire form follows from the rest. */
export function toRecordImage(record: ZoneRecord): RowImage {
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
  };
}
