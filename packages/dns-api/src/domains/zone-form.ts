import { changedZoneContent, newZoneContent, type Zone, type ZoneContent } from '@zonewright/zones';
import { checkMembers } from '../http/members.js';

/** The members of DNS API s4, Create and Update Domain. */
const WRITABLE = ['name', 'ttl', 'email', 'description'];
/** Members of a domain as it is read; an update may carry them, and they change nothing. */
const READ_ONLY = ['id', 'serial', 'created_at', 'updated_at'];

/** Reads the body of Create Domain. @throws ServiceError `invalid` with all problems. */
export function readNewZone(body: unknown): ZoneContent {
  return newZoneContent(checkMembers(body, WRITABLE));
}

/**
 * Reads the body of Update Domain: what it leaves out stays as it is. Renaming is refused.
 *
 * @throws ServiceError `invalid` with all problems.
 */
export function readZoneUpdate(body: unknown, zone: Zone): ZoneContent {
  return changedZoneContent(checkMembers(body, [...WRITABLE, ...READ_ONLY]), zone);
}
