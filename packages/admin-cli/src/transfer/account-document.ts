import type { TenantPart as AccountTenantPart } from '@zonewright/accounts';

/**
 * The form of an exported account, version 1 (docs/account-export.schema.json). Sections stand in this order, since
 * a reader goes through them once. Times are RFC 3339 in UTC.
 */
export const DOCUMENT_FORMAT = 'zonewright-account';
export const DOCUMENT_VERSION = 1;

/** A tenant with what the DNS service lets it have. */
export interface TenantPart extends AccountTenantPart {
  readonly quota: {
    readonly maxDomains: number | null;
    readonly maxDomainRecords: number | null;
    /** Where the tenant has a rule of its own. */
    readonly mxTargetCheck?: string;
  } | null;
}

export interface RecordPart {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly description: string | null;
  readonly version?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
}

export interface DomainPart {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
  readonly serial?: number;
  readonly version?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
  readonly records: readonly RecordPart[];
}

/** The sections that are lists, in their order. */
export const LISTS = ['users', 'tenants', 'roleAssignments', 'accessKeys', 'domains'] as const;
export type ListName = (typeof LISTS)[number];
