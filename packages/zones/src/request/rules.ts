/** What is asked of the target of an MX record (decisions 3, MX rule). */
export const MX_TARGET_CHECKS = ['hosted', 'strict', 'off'] as const;
export type MxTargetCheck = (typeof MX_TARGET_CHECKS)[number];

/** What holds for a tenant unless its quota says otherwise, and for all tenants. */
export interface ZoneRules {
  readonly maxDomains: number;
  /** In each domain. */
  readonly maxDomainRecords: number;
  /** Records of one name and type, whatever writes them. */
  readonly maxRecordsetRecords: number;
  /** What the data of a domain's records may have together, beside 1024 octets for each that it may have. */
  readonly maxDomainOctets: number;
  readonly mxTargetCheck: MxTargetCheck;
  /** For how long a deleted domain can be brought back. */
  readonly undeleteDays: number;
  /** New domains are signed from their beginning. */
  readonly signsNewZones?: boolean;
  /** Roles of those who run the service: rules for names of new domains do not hold for them. None: for nobody. */
  readonly cloudAdminRoles?: readonly string[];
}
