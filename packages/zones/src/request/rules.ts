import { invalidRequest, type Problem, ServiceError } from '@zonewright/service-kit';

/** Checks of the target of an MX record (D-REC-37). */
export const MX_TARGET_CHECKS = ['hosted', 'strict', 'off'] as const;

export type MxTargetCheck = (typeof MX_TARGET_CHECKS)[number];

/** Defaults of quotas, and rules for all tenants. */
export interface ZoneRules {
  readonly maxDomains: number;
  /** Maximum number of records in each domain. */
  readonly maxDomainRecords: number;
  /** Maximum number of records with one name and type, from any source. */
  readonly maxRecordsetRecords: number;
  /**
   * Maximum total data of the records of a domain in bytes, in addition to 1024 bytes for each record that it may have.
   */
  readonly maxDomainOctets: number;
  readonly mxTargetCheck: MxTargetCheck;
  /** Number of days in which a deleted domain can be restored. */
  readonly undeleteDays: number;
  /** Whether new domains are signed from the beginning. */
  readonly signsNewZones?: boolean;
  /** Roles of the operator's staff that are exempt from the rules for names of new domains. Absent means none. */
  readonly cloudAdminRoles?: readonly string[];
}

/**
 * Rejects a change of an object that has changed since the client saw it (If-Match gives 412, D-ZONE-39). Tags are
 * compared strongly (RFC 9110 s13.1.1), so a weak tag never matches.
 *
 * @throws ServiceError `precondition-failed`
 */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (ifMatch.split(',').some((tag) => tag.trim() === etag)) return;
  throw new ServiceError(
    'precondition-failed',
    `If-Match is ${ifMatch}, but the ETag is now ${etag}: the resource was changed in the meantime. Read it again.`,
  );
}

/** Record or zone in a request. Only the names of its members have been checked. */
export interface InputMembers {
  readonly values: Readonly<Record<string, unknown>>;
  /** Problems of the names. */
  readonly problems: readonly Problem[];
}

/** Validators of a record's location (D-REC: invalid_record_location). */
const LOCATION_VALIDATORS: readonly string[] = ['insideDomain', 'apex', 'childDomain', 'alone'];

/** Returns an `invalid` error about a record. */
export function invalidRecord(problems: readonly Problem[]) {
  const isLocation = problems.every(({ validator }) => LOCATION_VALIDATORS.includes(validator));
  return invalidRequest(problems, isLocation ? 'record-location' : undefined);
}
