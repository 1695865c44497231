import { type Undoing, type UnitOfWork, zoneEtag } from '@zonewright/zones';
import { renderZone } from '../domains/render.js';
import { jsonReply } from '../http/reply.js';
import type { Written } from '../http/write.js';
import { renderDifference } from '../records/render-difference.js';

/** The domain as it is then; a dry run shows what would change, as that of an import does. */
export function renderUndoing({ isDryRun }: UnitOfWork, { zone, changes }: Undoing): Written {
  const difference = isDryRun ? { difference: renderDifference(changes, zone.tenantId) } : {};
  return {
    reply: jsonReply({ ...renderZone(zone), ...difference }, { ETag: zoneEtag(zone) }),
    serial: zone.serial,
  };
}
