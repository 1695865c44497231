import type { LockedZone, Zone } from '../../rows/zone.js';
import type { ZoneContent } from '../../rows/zone.js';

/** The zone with other content; undefined when that makes no difference. A zone's name never changes. */
export function changeZone(
  zone: LockedZone,
  { email, ttl, description }: Partial<ZoneContent>,
): Zone | undefined {
  const content = {
    email: email ?? zone.email,
    ttl: ttl ?? zone.ttl,
    description: description === undefined ? zone.description : description,
  };
  if (
    content.email === zone.email &&
    content.ttl === zone.ttl &&
    content.description === zone.description
  ) {
    return undefined;
  }
  return { ...zone, ...content, version: zone.version + 1, updatedAt: zone.now };
}
