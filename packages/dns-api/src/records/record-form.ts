import type { SupportedTypes } from '@zonewright/dns-records';
import {
  changedRecordContent,
  FLAG_MEMBERS,
  newRecordContent,
  type RecordContent,
  type ZoneRecord,
} from '@zonewright/zones';
import { checkMembers } from '../http/members.js';

/** The members of DNS API s4, Create and Update Record, and those that are ours. */
const WRITABLE = ['name', 'type', 'data', 'ttl', 'priority', 'description', ...FLAG_MEMBERS];
/** Members of a record as it is read; an update may carry them, and they change nothing. */
const READ_ONLY = ['id', 'domain_id', 'tenant_id', 'version', 'created_at', 'updated_at'];

/** Whether whoever wrote it knows of flags. */
export function saysFlags(body: unknown): boolean {
  return FLAG_MEMBERS.some((member) => Object.hasOwn(body ?? {}, member));
}

/** Reads the body of Create Record. @throws ServiceError `invalid` with all problems. */
export function readNewRecord(
  body: unknown,
  zoneName: string,
  known: SupportedTypes,
): RecordContent {
  return newRecordContent(checkMembers(body, WRITABLE), zoneName, known);
}

/**
 * Reads the body of Update Record: what it leaves out stays as it is.
 *
 * @throws ServiceError `invalid` with all problems of the merged record.
 */
export function readRecordUpdate(
  body: unknown,
  stored: ZoneRecord,
  rules: { readonly zoneName: string; readonly known: SupportedTypes },
): RecordContent {
  return changedRecordContent(checkMembers(body, [...WRITABLE, ...READ_ONLY]), stored, rules);
}
