import { canonicalOwnerName, DnsSyntaxError, nameToWire } from '@zonewright/dns-records';
import { getZoneForChange } from '../../rows/get-zone.js';
import type { LockedZone } from '../../rows/zone.js';
import { lockZoneAsItIs } from '../../rows/zone-store.js';
import type { UnitOfWork } from '../../transactions/unit-of-work.js';
import { findHostingZones } from '../checks/mail-target.js';

/**
 * Locks a zone for changes of its records, and keeps the zones as they are in which the mail targets of those
 * changes lie, as far as they are the tenant's. Zones are locked by id, whatever they are locked for, so two of these never wait for each other.
 *
 * @param bodies what the request says about records; looked at here only for what may be a mail target.
 */
export async function lockZoneForRecords(
  work: UnitOfWork,
  zoneId: string,
  bodies: readonly unknown[],
): Promise<LockedZone> {
  // Whether the tenant's targets are checked is known with the zone only; a lock too many only costs time.
  const targets = bodies.flatMap(possibleMailTarget);
  const { trx, caller } = work;
  if (targets.length === 0) return await getZoneForChange(trx, caller, zoneId);
  // Of the tenant's own alone: nobody can keep others from changing their zones.
  const own = [...(await findHostingZones(trx, targets)).values()].filter(
    (host) => host.tenantId === caller.tenantId && host.id !== zoneId,
  );
  const hosts = new Set(own.map(({ id }) => id));
  const before = [...hosts].filter((id) => id < zoneId).sort();
  const after = [...hosts].filter((id) => id > zoneId).sort();
  const keptZones = new Set<string>();
  for (const id of before) if (await lockZoneAsItIs(trx, id)) keptZones.add(id);
  const zone = await getZoneForChange(trx, caller, zoneId);
  for (const id of after) if (await lockZoneAsItIs(trx, id)) keptZones.add(id);
  return { ...zone, keptZones };
}

/** The longest name, each octet written as \DDD. */
const MAX_NAME_CHARACTERS = 1_020;

/** An update may leave the type out, so any absolute name counts; a lock too many only costs time. */
function possibleMailTarget(body: unknown): string[] {
  const { type, data } = (body ?? {}) as { type?: unknown; data?: unknown };
  if (typeof data !== 'string' || !data.endsWith('.')) return [];
  if (type !== undefined && type !== 'MX') return [];
  try {
    // Nothing has been checked: without a bound on its length a name has too many names above it.
    if (data.length > MAX_NAME_CHARACTERS) return [];
    nameToWire(data);
    return [canonicalOwnerName(data)];
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return [];
  }
}
