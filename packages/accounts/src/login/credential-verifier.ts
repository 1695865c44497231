import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type Database,
  hashPassword,
  type Keyring,
  type SealedSecret,
  secretIdentity,
  verifyPassword,
} from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';
import { findAccessKeyWithOwner } from '../access-keys/access-key-store.js';
import { type AccessKey, isUsable, openAccessKeySecret } from '../access-keys/access-key.js';
import { type Restriction, restrictionOf } from '../access-keys/restriction-store.js';
import { findTenant, type Tenant, type TenantReference } from '../tenants/tenant-store.js';
import {
  findAccountByReference,
  isReferredTo,
  type UserReference,
} from '../users/account-store.js';
import type { Account } from '../users/account.js';
import {
  type AccessKeyCredentials,
  type Credentials,
  findAccessKeyIdNamed,
  type PasswordCredentials,
} from './credentials.js';

interface VerifierDependencies {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Account whose password is verified. */
export interface PasswordSubject {
  /** Id of the account, or the given name if there is no such account. */
  readonly subject: string;
  /** Undefined if there is no such account. */
  readonly credentialGeneration: number | undefined;
}

/** Verification of a password, subject to the rate limits. */
export interface PasswordAttempt extends PasswordSubject {
  readonly verify: () => Promise<boolean>;
}

/** Correct credentials, and the time until which they are valid. */
export interface Verification {
  readonly account: Account;
  readonly validTo: Date | undefined;
  /** Requested tenant; undefined if it does not exist. */
  readonly tenant: Tenant | undefined;
  /** Undefined if a password was used. */
  readonly accessKey: VerifiedKey | undefined;
}

/** Access key that was presented with its secret. */
export interface VerifiedKey {
  readonly id: string;
  readonly validTo: Date;
  readonly tokenFamily: string | undefined;
  readonly restriction: Restriction | undefined;
}

/** Contains a blank, so it cannot be the id of an access key. */
const DECOY_KEY_ID = 'no key';

/**
 * Verifies credentials with the same work, whatever is wrong with them (D-ID-8). For an unknown name, the same queries
 * run as for a known one, and the password is checked against a decoy hash. The account's status is ignored.
 */
export class CredentialVerifier {
  readonly #dependencies: VerifierDependencies;
  readonly #decoyHash = hashPassword(randomBytes(32).toString('base64'));
  readonly #decoySecret: SealedSecret;

  constructor(dependencies: VerifierDependencies) {
    this.#dependencies = dependencies;
    const identity = secretIdentity.accessKey(DECOY_KEY_ID);
    this.#decoySecret = dependencies.keyring.seal(randomBytes(40), identity);
  }

  /**
   * Reads the tenant together with the credentials, even if they are wrong. `attempt` verifies a password when the
   * limits allow it.
   */
  async verify(
    credentials: Credentials,
    scope: TenantReference | undefined,
    attempt: (attempt: PasswordAttempt) => Promise<boolean>,
  ): Promise<Verification | undefined> {
    if (credentials.method === 'password') {
      return await this.#verifyPassword(credentials, scope, attempt);
    }
    if (scope === undefined || 'id' in scope) {
      return await this.#verifyAccessKey(credentials, scope?.id);
    }
    const [verification, tenant] = await Promise.all([
      this.#verifyAccessKey(credentials, undefined),
      findTenant(this.#dependencies.db, scope),
    ]);
    return verification && { ...verification, tenant };
  }

  async #verifyPassword(
    { user, password }: PasswordCredentials,
    scope: TenantReference | undefined,
    attempt: (attempt: PasswordAttempt) => Promise<boolean>,
  ): Promise<Verification | undefined> {
    const { db } = this.#dependencies;
    const [found, tenant] = await Promise.all([
      findAccountByReference(db, user),
      scope && findTenant(db, scope),
    ]);
    const hash = found?.passwordHash ?? (await this.#decoyHash);
    const isReferred = found !== undefined && isReferredTo(found.account, user);
    const isRight = await attempt({
      ...subjectOf(found?.account, user),
      verify: async () => (await verifyPassword(hash, password)) && isReferred,
    });
    if (!isRight || found === undefined || found.passwordHash === null) return undefined;
    const { account } = found;
    return { account, validTo: undefined, tenant, accessKey: undefined };
  }

  async #verifyAccessKey(
    credentials: AccessKeyCredentials,
    tenantId: string | undefined,
  ): Promise<Verification | undefined> {
    const { db, clock } = this.#dependencies;
    const { named, secretKey } = credentials;
    const accessKeyId =
      named === undefined ? credentials.accessKeyId : await findAccessKeyIdNamed(db, named);
    const found = await findAccessKeyWithOwner(db, accessKeyId ?? DECOY_KEY_ID, tenantId);
    const isRight = isSameSecret(this.#openSecret(found?.key), Buffer.from(secretKey));
    const mayLogIn = found?.key.secret !== undefined && isUsable(found.key, new Date(clock.now()));
    if (!isRight || !mayLogIn) return undefined;
    const { key, owner, tenant } = found;
    const { validTo, id, tokenFamily } = key;
    const restriction = restrictionOf(key);
    return {
      account: owner,
      validTo,
      tenant,
      accessKey: { id, validTo, tokenFamily, restriction },
    };
  }

  #openSecret(key: AccessKey | undefined): Buffer {
    const { keyring } = this.#dependencies;
    return key?.secret === undefined
      ? keyring.open(this.#decoySecret, secretIdentity.accessKey(DECOY_KEY_ID))
      : (openAccessKeySecret(keyring, key) ?? Buffer.alloc(0));
  }
}

function subjectOf(account: Account | undefined, user: UserReference): PasswordSubject {
  return account === undefined
    ? { subject: nameOfUnknown(user), credentialGeneration: undefined }
    : { subject: account.id, credentialGeneration: account.credentialGeneration };
}

/** Ignores the domain, as the lookup of existing accounts does. */
function nameOfUnknown(user: UserReference): string {
  return JSON.stringify('id' in user ? { id: user.id } : { name: user.name });
}

/** Compares digests in constant time, so that lengths do not matter. */
function isSameSecret(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  );
}
