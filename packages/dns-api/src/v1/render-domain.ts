import { jsonReply } from '../http/reply.js';
import type { Written } from '../http/write.js';
import { type DeletedZone, type LastChange, type Zone, zoneEtag } from '@zonewright/zones';

/** Renders a zone as a domain (DNS API s2). Unset members are null (D-ZONE). */
export function renderZone(zone: Zone) {
  return {
    id: zone.id,
    name: zone.displayName,
    ttl: zone.ttl,
    email: zone.email,
    serial: zone.serial,
    description: zone.description,
    created_at: zone.createdAt,
    updated_at: zone.updatedAt,
  };
}

/** Adds the number of records and the author of the last change. */
export function renderExtendedZone(zone: Zone, change: LastChange | undefined) {
  const lastChange = change && {
    at: change.changedAt,
    user_id: change.userId,
    user_name: change.userName,
  };
  return {
    ...renderZone(zone),
    record_count: zone.recordCount,
    last_change: lastChange ?? null,
  };
}

/** Adds the time until which the domain can be restored. */
export function renderDeletedZone(zone: DeletedZone) {
  return {
    ...renderZone(zone),
    record_count: zone.recordCount,
    deleted_at: zone.deletedAt,
    undelete_until: zone.undeleteUntil,
  };
}

/** Returns the response to a change of a zone, with the new state. */
export function zoneWritten(zone: Zone): Written {
  return {
    reply: jsonReply(renderZone(zone), { ETag: zoneEtag(zone) }),
    serial: zone.serial,
  };
}
