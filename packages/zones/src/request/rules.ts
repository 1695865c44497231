import { invalidRequest, type Problem, ServiceError } from '@zonewright/service-kit';

/** Checks of the target of an MX record (D-REC-37). */
export const MX_TARGET_CHECKS = ['hosted', 'strict', 'off'] as const;

export type MxTargetCheck = (typeof MX_TARGET_CHECKS)[number];

/** Defaults of quotas, and rules for all tenants. */
export interface ZoneRules {
  readonly maxDomains: number;
  /** In each domain. */
  readonly maxDomainRecords: number;
  /** Records of one name and type, whatever writes them. */
  readonly maxRecordsetRecords: number;
  /** Maximum total data of the records of a domain, in addition to 1024 octets for each record that it may have. */
  readonly maxDomainOctets: number;
  readonly mxTargetCheck: MxTargetCheck;
  /** How long a deleted domain can be restored. */
  readonly undeleteDays: number;
  /** New domains are signed from their beginning. */
  readonly signsNewZones?: boolean;
  /** Roles of the operator's staff, whom rules for names of new domains do not bind. Absent: nobody. */
  readonly cloudAdminRoles?: readonly string[];
}

/**
 * Refuses a change of an object that is no longer as the client saw it (D-ZONE-39: If-Match gives 412). Tags are compared
 * strongly (RFC 9110 s13.1.1), so a weak one never matches.
 *
 * @throws ServiceError `precondition-failed`.
 */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (ifMatch.split(',').some((tag) => tag.trim() === etag)) return;
  throw new ServiceError(
    'precondition-failed',
    `If-Match is ${ifMatch}, but the ETag is now ${etag}: it was changed meanwhile. Read it again.`,
  );
}

/** Record or zone in a request. Only the names of its members have been checked. */
export interface InputMembers {
  readonly values: Readonly<Record<string, unknown>>;
  /** Problems of these names. */
  readonly problems: readonly Problem[];
}

/** Validators of the location of a record (D-REC: invalid_record_location). */
const LOCATION_VALIDATORS: readonly string[] = ['insideDomain', 'apex', 'childDomain', 'alone'];

/** An `invalid` error about a record. */
export function invalidRecord(problems: readonly Problem[]) {
  const isLocation = problems.every(({ validator }) => LOCATION_VALIDATORS.includes(validator));
  return invalidRequest(problems, isLocation ? 'record-location' : undefined);
}
