import { createHash } from 'node:crypto';
import {
  canonicalRdata,
  checkRecord,
  rdataToWire,
  type RecordTypeName,
  toAsciiDomainName,
} from '@zonewright/dns-records';
import { checkMembers } from '../http/members.js';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import type { RecordContent, ZoneRecord } from './record.js';

/** The members of DNS API s4, Create and Update Record. */
const WRITABLE = ['name', 'type', 'data', 'ttl', 'priority', 'description'];
/** Members of a record as it is read; an update may carry them, and they change nothing. */
const READ_ONLY = ['id', 'domain_id', 'tenant_id', 'version', 'created_at', 'updated_at'];

/** Where a record may stand is a question of its own (decisions 3: invalid_record_location). */
const LOCATION_VALIDATORS: readonly string[] = ['insideDomain', 'apex', 'childDomain', 'alone'];

/** Reads the body of Create Record. @throws ServiceError `invalid` with all problems. */
export function readNewRecord(body: unknown, zoneName: string): RecordContent {
  const { values, problems } = checkMembers(body, WRITABLE);
  return toContent(values, problems, zoneName);
}

/**
 * Reads the body of Update Record: what it leaves out stays as it is.
 *
 * @throws ServiceError `invalid` with all problems of the merged record.
 */
export function readRecordUpdate(
  body: unknown,
  stored: ZoneRecord,
  zoneName: string,
): RecordContent {
  const { values, problems } = checkMembers(body, [...WRITABLE, ...READ_ONLY]);
  const { name, type, data, ttl, priority, description } = stored;
  const merged = { name, type, data, ttl, priority, description, ...values };
  return toContent(merged, problems, zoneName);
}

function toContent(
  values: Readonly<Record<string, unknown>>,
  memberProblems: readonly Problem[],
  zoneName: string,
): RecordContent {
  const problems = [...memberProblems, ...checkRecord(values, zoneName)];
  if (problems.length > 0) throw invalidRecord(problems);
  // The checks above have shown that these are what they are taken for.
  const { name, type, data } = values as { name: string; type: RecordTypeName; data: string };
  const { ttl, priority, description } = values as Partial<ZoneRecord>;
  return completeContent({
    name: toAsciiDomainName(name),
    type,
    data,
    ttl: ttl ?? null,
    priority: priority ?? null,
    description: description ?? null,
  });
}

/** Adds the wire forms to a record's members, which must have passed the checks. */
export function completeContent(members: Omit<RecordContent, 'rdata' | 'digest'>): RecordContent {
  const { type, data, priority } = members;
  const rdata = rdataToWire(type, data, priority);
  return {
    ...members,
    rdata: Buffer.from(rdata),
    digest: createHash('sha256').update(canonicalRdata(type, rdata)).digest(),
  };
}

/** An `invalid` error about a record. */
export function invalidRecord(problems: readonly Problem[]) {
  const isLocation = problems.every(({ validator }) => LOCATION_VALIDATORS.includes(validator));
  return invalidRequest(problems, isLocation ? 'record-location' : undefined);
}
