import type { LockedZone } from '../../rows/zone.js';
import type { RecordChange } from '../changes/record-change.js';
import { isServed } from '../../rows/record.js';
import type { RecordKey } from '../../rows/record-store.js';

/**
 * Whether the changes leave a record among others of its name and type with another TTL (RFC 2181 s5.2). Nameservers answer all
 * of them with the lowest.
 *
 * @param stored records at the names of the changes, before them
 */
export function leavesMixedTtls(
  zone: LockedZone,
  changes: readonly RecordChange[],
  stored: readonly RecordKey[],
): boolean {
  const come = changes.flatMap(({ after }) => after ?? []).filter(isServed);
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  const ttls = new Map<string, number>();
  for (const { name, type, ttl } of come) {
    const known = ttls.get(`${name} ${type}`) ?? ttl ?? zone.ttl;
    if (known !== (ttl ?? zone.ttl)) return true;
    ttls.set(`${name} ${type}`, known);
  }
  return stored.some(({ id, name, type, ttl }) => {
    const known = ttls.get(`${name} ${type}`);
    return known !== undefined && !gone.has(id) && known !== (ttl ?? zone.ttl);
  });
}
