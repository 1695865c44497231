import { jsonReply } from '../http/reply.js';
import type { Written } from '../http/write.js';
import { type DeletedZone, type LastChange, type Zone, zoneEtag } from '@zonewright/zones';

/** A zone as DNS API s2 shows a domain: every member, null where nothing is set (D-ZONE). */
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

/** With how many records it has, and by whom it or one of them was changed last. */
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

/** With until when it can be brought back. */
export function renderDeletedZone(zone: DeletedZone) {
  return {
    ...renderZone(zone),
    record_count: zone.recordCount,
    deleted_at: zone.deletedAt,
    undelete_until: zone.undeleteUntil,
  };
}

/** The answer to a change of a zone that shows it as it is then. */
export function zoneWritten(zone: Zone): Written {
  return {
    reply: jsonReply(renderZone(zone), { ETag: zoneEtag(zone) }),
    serial: zone.serial,
  };
}
