import type { RestrictionContent } from '../access-keys/restriction.js';

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
  readonly status: 'active' | 'inactive';
  readonly validFrom: string;
  readonly validTo: string;
  readonly secret?: TransferredSecret;
  readonly name?: string;
  readonly description?: string;
  /** Absent: none. A version that knows none refuses the document for it. */
  readonly restriction?: RestrictionContent;
  readonly createdAt?: string;
}

/** The parts of an account that are not domains. */
export interface AccountParts {
  readonly accountDomain: AccountDomainPart;
  readonly users: readonly UserPart[];
  readonly tenants: readonly TenantPart[];
  readonly roleAssignments: readonly RoleAssignmentPart[];
  readonly accessKeys: readonly AccessKeyPart[];
}
