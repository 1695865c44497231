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
