import type { RowImage } from '../journal/journal-store.js';
import type { Zone } from './zone.js';

/** The members of a zone that users write, as the journal keeps them. */
export function toZoneImage(zone: Zone): RowImage {
  return {
    id: zone.id,
    tenant_id: zone.tenantId,
    name: zone.name,
    email: zone.email,
    ttl: zone.ttl,
    description: zone.description,
    created_at: zone.createdAt,
    updated_at: zone.updatedAt,
  };
}
