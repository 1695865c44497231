import type { RowImage } from '../journal/journal-store.js';
import type { ZoneRecord } from './record.js';

/** A record as the journal keeps it: whole, so that it can be brought back, with octets in base64. */
export function toRecordImage(record: ZoneRecord): RowImage {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    rdata: record.rdata.toString('base64'),
    ttl: record.ttl,
    priority: record.priority,
    description: record.description,
    version: record.version,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
