import type { Zone } from './zone.js';

/** A zone as DNS API s2 shows a domain: every member, null where nothing is set (decisions 3). */
export function renderZone(zone: Zone) {
  return {
    id: zone.id,
    name: zone.name,
    ttl: zone.ttl,
    email: zone.email,
    serial: zone.serial,
    description: zone.description,
    created_at: zone.createdAt,
    updated_at: zone.updatedAt,
  };
}
