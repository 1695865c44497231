import type { TenantPart as AccountTenantPart } from '@zonewright/accounts';
import type { MxTargetCheck } from '@zonewright/zones';

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
    readonly mxTargetCheck?: MxTargetCheck;
  } | null;
}

/** The sections that are lists, in their order. */
export const LISTS = ['users', 'tenants', 'roleAssignments', 'accessKeys', 'domains'] as const;
export type ListName = (typeof LISTS)[number];
