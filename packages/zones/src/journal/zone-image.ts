import type { ZoneImage } from '@zonewright/database';
import type { Zone } from '../rows/zone.js';

export function toZoneImage(zone: Zone): ZoneImage {
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
