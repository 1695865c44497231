import type { RestrictionContent } from '../access-keys/restriction.js';

/** Confidential text: plain, or encrypted with the document's passphrase. */
export type TransferredSecret = { readonly plain: string } | { readonly sealed: string };

/**
 * Parameters for deriving the key from the passphrase (RFC 7914), and an encrypted word that detects a wrong
 * passphrase.
 */
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
  /** Argon2 in PHC format. Absent in an export without secrets, null for a user without a password. */
  readonly passwordHash?: TransferredSecret | null;
  /** Password of an account from another system, whose hashes cannot be verified here. It is hashed on import. */
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
  /** Names of activated services. */
  readonly services: readonly string[];
  readonly createdAt?: string;
}

export interface RoleAssignmentPart {
  /** Id of a user in this document. */
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
  /** Absent if the key is unrestricted. A version without restrictions refuses documents with this member. */
  readonly restriction?: RestrictionContent;
  readonly createdAt?: string;
}

/** Parts of an account except its DNS domains. */
export interface AccountParts {
  readonly accountDomain: AccountDomainPart;
  readonly users: readonly UserPart[];
  readonly tenants: readonly TenantPart[];
  readonly roleAssignments: readonly RoleAssignmentPart[];
  readonly accessKeys: readonly AccessKeyPart[];
}
