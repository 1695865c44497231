import type { MxTargetCheck } from '@zonewright/zones';

/**
 * The form of an exported account, version 1 (docs/account-export.schema.json). Sections stand in this order, since
 * a reader goes through them once. Times are RFC 3339 in UTC.
 */
export const DOCUMENT_FORMAT = 'zonewright-account';
export const DOCUMENT_VERSION = 1;

/** A text that must not be read by everybody: as it is, or sealed with the document's passphrase. */
export type TransferredSecret = { readonly plain: string } | { readonly sealed: string };

/** How the key is made of the passphrase (RFC 7914), and a sealed word by which a wrong one shows. */
export interface DocumentEncryption {
  readonly kdf: 'scrypt';
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly check: string;
}

export interface AccountDomainPart {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly statusCode: number | null;
}

export interface UserPart {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Argon2 in PHC form; absent in an export without secrets, null for a user without a password. */
  readonly passwordHash?: TransferredSecret | null;
  /** For accounts from elsewhere, whose hashes nobody here reads: hashed when it is imported. */
  readonly password?: string;
  readonly tokensValidAfter?: string | null;
  readonly createdAt?: string;
}

export interface TenantPart {
  readonly id: string;
  readonly name: string;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Names of services that are switched on. */
  readonly services: readonly string[];
  readonly quota: {
    readonly maxDomains: number | null;
    readonly maxDomainRecords: number | null;
    /** Where the tenant has a rule of its own. */
    readonly mxTargetCheck?: MxTargetCheck;
  } | null;
  readonly createdAt?: string;
}

export interface RoleAssignmentPart {
  /** Ids of a user and a tenant of this document, the name of a role. */
  readonly user: string;
  readonly role: string;
  readonly tenant: string | null;
}

export interface AccessKeyPart {
  readonly id: string;
  readonly user: string;
  readonly algorithm: string;
  readonly keyLength: number | null;
  readonly status: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly secret?: TransferredSecret;
  readonly createdAt?: string;
}

/** The sections that are lists, in their order. */
export const LISTS = ['users', 'tenants', 'roleAssignments', 'accessKeys', 'domains'] as const;
export type ListName = (typeof LISTS)[number];
