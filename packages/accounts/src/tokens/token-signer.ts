import { createSecretKey, type KeyObject } from 'node:crypto';
import { type Database, type Keyring, secretIdentity } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import jwt from 'jsonwebtoken';
import { type ChangeWatch, ReadCache } from '../shared/change-watch.js';
import { listSealedSigningKeys } from './signing-keys.js';
import {
  type AuthenticationMethod,
  isTokenName,
  lineageOf,
  TOKEN_LIFETIME_MS,
  type TokenClaims,
} from './token-claims.js';

interface SigningKey {
  readonly id: string;
  /**
   * Key as an object, never a string: jsonwebtoken would try to parse a string as a public key, which takes fifteen
   * times as long.
   */
  readonly key: KeyObject;
}

interface SigningKeys {
  readonly primary: SigningKey;
  /** Keys by the encoded header of their tokens. */
  readonly byHeader: ReadonlyMap<string, VerifyingKey>;
}

interface VerifyingKey {
  readonly key: KeyObject;
  /** Whether tokens with this header are restricted. */
  readonly isRestricted: boolean;
}

/** Signed claims, with short names that keep tokens small. */
interface Payload {
  readonly s: string;
  readonly t?: string;
  /** Absent in a derived token. */
  readonly m?: string;
  /** Number of the restriction of the access key. */
  readonly k?: number;
  readonly jti: string;
  /** Fractions of a second are allowed (RFC 7519 s2). A password change must distinguish tokens of the same second. */
  readonly iat: number;
  /** Omitted if it is the usual time after `iat` and the token would be too long. */
  readonly exp?: number;
}

const METHOD_LETTERS = { password: 'p', accessKey: 'a', application_credential: 'c' } as const;
const METHODS: Readonly<Record<string, AuthenticationMethod>> = {
  p: 'password',
  a: 'accessKey',
  c: 'application_credential',
};
/**
 * Suffix of the key's name in the header of restricted tokens. A version without restrictions does not find a key with
 * that name, and treats the token as forged.
 */
const RESTRICTED_MARK = '.k';
/** Maximum length of the two packed ids and the name in a token with `exp`. */
const MOST_WITH_EXPIRY = 82;
/** Maximum length of a text that is checked. No token is longer. */
const MAX_TOKEN_LENGTH = 1024;

interface TokenSignerDependencies {
  readonly db: Database;
  readonly watch: ChangeWatch;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Signs and verifies tokens: compact JWTs, HS256, with the keys of identity.signing_keys. */
export class TokenSigner {
  readonly #dependencies: TokenSignerDependencies;
  readonly #keys: ReadCache<SigningKeys>;

  constructor(dependencies: TokenSignerDependencies) {
    this.#dependencies = dependencies;
    this.#keys = new ReadCache(dependencies.watch, 1);
  }

  /** Signs a new token for these claims. */
  async sign(claims: Omit<TokenClaims, 'lineage'>): Promise<{ id: string; claims: TokenClaims }> {
    const { primary } = await this.#currentKeys();
    const { restrictionNumber } = claims;
    const names = {
      s: packId(claims.userId),
      ...(claims.tenantId === undefined ? {} : { t: packId(claims.tenantId) }),
      ...(claims.method === 'token' ? {} : { m: METHOD_LETTERS[claims.method] }),
      jti: claims.jti,
      ...(restrictionNumber === undefined ? {} : { k: restrictionNumber }),
    };
    const payload: Payload = {
      ...names,
      iat: claims.issuedAt.getTime() / 1000,
      ...expiryOf(names, claims),
    };
    const kid = restrictionNumber === undefined ? primary.id : primary.id + RESTRICTED_MARK;
    const id = jwt.sign(payload, primary.key, { algorithm: 'HS256', header: headerOf(kid) });
    return { id, claims: { ...claims, lineage: lineageOf(claims.jti) } };
  }

  /** Returns the claims of a genuine token that has not expired. */
  async verify(tokenId: string): Promise<TokenClaims | undefined> {
    if (tokenId.length > MAX_TOKEN_LENGTH) return undefined;
    const { byHeader } = await this.#currentKeys();
    const claims = this.#checkSignature(tokenId, byHeader);
    return claims !== undefined && this.isCurrent(claims) ? claims : undefined;
  }

  /** Returns the claims of a genuine token, expired or not. */
  #checkSignature(tokenId: string, byHeader: SigningKeys['byHeader']): TokenClaims | undefined {
    // All tokens of a key begin with the same header. Any other header, for example "alg": "none", does not match a
    // key.
    const key = byHeader.get(tokenId.slice(0, tokenId.indexOf('.')));
    if (key === undefined) return undefined;
    try {
      const payload = jwt.verify(tokenId, key.key, {
        algorithms: ['HS256'],
        // The expiry time is checked whenever a token is used, but the signature only once.
        ignoreExpiration: true,
      });
      const claims = toClaims(payload as unknown as Payload);
      if (claims === undefined) return undefined;
      return (claims.restrictionNumber !== undefined) === key.isRestricted ? claims : undefined;
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError) return undefined;
      throw error;
    }
  }

  isCurrent({ expiresAt }: TokenClaims): boolean {
    return this.#dependencies.clock.now() < expiresAt.getTime();
  }

  /** @throws ServiceError (unavailable) if there is no primary key because the operator has not created one yet */
  async checkReady(): Promise<void> {
    await this.#currentKeys();
  }

  async #currentKeys(): Promise<SigningKeys> {
    return await this.#keys.get('', () => this.#readKeys());
  }

  async #readKeys(): Promise<SigningKeys> {
    const { db, keyring } = this.#dependencies;
    const rows = await listSealedSigningKeys(db);
    const keys = rows.map(({ id, secret, isPrimary }) => ({
      id,
      isPrimary,
      key: createSecretKey(keyring.open(secret, secretIdentity.signingKey(id))),
    }));
    const primary = keys.find(({ isPrimary }) => isPrimary);
    if (primary === undefined) {
      throw new ServiceError('unavailable', 'there is no signing key for tokens yet');
    }
    const byHeader = new Map(
      keys.flatMap(({ id, key }) => [
        [encodedHeader(id), { key, isRestricted: false }],
        [encodedHeader(id + RESTRICTED_MARK), { key, isRestricted: true }],
      ]),
    );
    return { primary, byHeader };
  }
}

function headerOf(kid: string): jwt.JwtHeader {
  // The header omits "typ", which has no use here and takes 16 bytes.
  return { alg: 'HS256', typ: undefined, kid };
}

function encodedHeader(kid: string): string {
  return Buffer.from(JSON.stringify(headerOf(kid))).toString('base64url');
}

/** Returns `exp`, or undefined if the token would be too long. `exp` takes 21 bytes, and clients support 300 bytes. */
function expiryOf(
  { s, t = '', jti }: Pick<Payload, 's' | 't' | 'jti'>,
  { issuedAt, expiresAt }: Pick<TokenClaims, 'issuedAt' | 'expiresAt'>,
) {
  const isLong = s.length + t.length + jti.length > MOST_WITH_EXPIRY;
  const isUsual = expiresAt.getTime() - issuedAt.getTime() === TOKEN_LIFETIME_MS;
  return isLong && isUsual ? {} : { exp: expiresAt.getTime() / 1000 };
}

/** Returns undefined if the name has another form than those of this service. */
function toClaims(payload: Payload): TokenClaims | undefined {
  if (!isTokenName(payload.jti)) return undefined;
  const issuedAt = new Date(Math.round(payload.iat * 1000));
  return {
    jti: payload.jti,
    userId: unpackId(payload.s),
    tenantId: payload.t === undefined ? undefined : unpackId(payload.t),
    method: METHODS[payload.m ?? ''] ?? 'token',
    issuedAt,
    expiresAt:
      payload.exp === undefined
        ? new Date(issuedAt.getTime() + TOKEN_LIFETIME_MS)
        : new Date(Math.round(payload.exp * 1000)),
    lineage: lineageOf(payload.jti),
    restrictionNumber: payload.k,
  };
}

/**
 * Format of ids that are packed. Base64url needs a third fewer characters than hexadecimal digits. Ids of this service
 * have 32 digits and those of other systems up to 64, so a token with two ids has fewer than 300 bytes. Other ids are
 * not packed. The first character shows whether an id is packed.
 */
const HEX_ID = /^([0-9a-f]{2})+$/;
/** Minimum length of packed ids. Packing shorter ids saves almost nothing. */
const MIN_PACKED_LENGTH = 24;
const PACKED = '.';
const PLAIN = '=';

export function packId(id: string): string {
  const isPacked = id.length >= MIN_PACKED_LENGTH && HEX_ID.test(id);
  return isPacked ? PACKED + Buffer.from(id, 'hex').toString('base64url') : PLAIN + id;
}

export function unpackId(packed: string): string {
  const rest = packed.slice(1);
  return packed.startsWith(PACKED) ? Buffer.from(rest, 'base64url').toString('hex') : rest;
}
