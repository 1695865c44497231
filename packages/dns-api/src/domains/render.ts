import { jsonReply } from '../http/reply.js';
import type { Written } from '../http/write.js';
import { type Zone, zoneEtag } from '@zonewright/zones';

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

/** The answer to a change of a zone that shows it as it is then. */
export function zoneWritten(zone: Zone): Written {
  return {
    reply: jsonReply(renderZone(zone), { ETag: zoneEtag(zone) }),
    serial: zone.serial,
  };
}
