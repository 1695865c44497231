import { createSecretKey, type KeyObject } from 'node:crypto';
import { type Database, type Keyring, secretIdentity } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import jwt from 'jsonwebtoken';
import { type ChangeWatch, ReadCache } from '../shared/change-watch.js';
import { listSealedSigningKeys } from './signing-keys.js';
import {
  type AuthenticationMethod,
  lineageOf,
  TOKEN_LIFETIME_MS,
  type TokenClaims,
} from './token-claims.js';

interface SigningKey {
  readonly id: string;
  /** Never a string: jsonwebtoken would try to parse that as a public key, fifteen times as slow. */
  readonly key: KeyObject;
}

interface SigningKeys {
  readonly primary: SigningKey;
  /** By the encoded header that tokens of this key begin with. */
  readonly byHeader: ReadonlyMap<string, VerifyingKey>;
}

interface VerifyingKey {
  readonly key: KeyObject;
  /** Whether its tokens are restricted. */
  readonly isRestricted: boolean;
}

/** Claims as signed, with names as short as the size of a token asks for. */
interface Payload {
  readonly s: string;
  readonly t?: string;
  /** Left out of a token that was got with another one. */
  readonly m?: string;
  /** The number of restrictions. */
  readonly k?: number;
  readonly jti: string;
  /** RFC 7519 s2 allows fractions of a second: a password change must part tokens issued in one second. */
  readonly iat: number;
  /** Left out where it is the usual time after `iat` and the rest is long. */
  readonly exp?: number;
}

const METHOD_LETTERS = { password: 'p', accessKey: 'a', application_credential: 'c' } as const;
const METHODS: Readonly<Record<string, AuthenticationMethod>> = {
  p: 'password',
  a: 'accessKey',
  c: 'application_credential',
};
/**
 * Behind the name of the key in the header of restricted tokens: a version that knows no restrictions finds no key of that
 * name, and takes the token for a forged one.
 */
const RESTRICTED_MARK = '.k';
/** Of the two ids, as packed, and the name; with `exp` beside them a token is as long as may be. */
const MOST_WITH_EXPIRY = 82;
/** Longer than any token can be; what is longer is not looked at. */
const MAX_TOKEN_LENGTH = 1024;

interface TokenSignerDependencies {
  readonly db: Database;
  readonly watch: ChangeWatch;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Makes tokens and tells whether one was made here: compact JWTs, HS256, with the keys of identity.signing_keys. */
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

  /** The claims of a token that was made here and has not expired. */
  async verify(tokenId: string): Promise<TokenClaims | undefined> {
    if (tokenId.length > MAX_TOKEN_LENGTH) return undefined;
    const { byHeader } = await this.#currentKeys();
    const claims = this.#checkSignature(tokenId, byHeader);
    return claims !== undefined && this.isCurrent(claims) ? claims : undefined;
  }

  /** The claims of a token that was made here, whether expired or not. */
  #checkSignature(tokenId: string, byHeader: SigningKeys['byHeader']): TokenClaims | undefined {
    // A key's tokens all begin with the same header; any other header ("alg": "none", say) finds no key.
    const key = byHeader.get(tokenId.slice(0, tokenId.indexOf('.')));
    if (key === undefined) return undefined;
    try {
      const payload = jwt.verify(tokenId, key.key, {
        algorithms: ['HS256'],
        // Looked at each time a token is shown, unlike its signature.
        ignoreExpiration: true,
      });
      const claims = toClaims(payload as unknown as Payload);
      return (claims.restrictionNumber !== undefined) === key.isRestricted ? claims : undefined;
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError) return undefined;
      throw error;
    }
  }

  /** Whether a token has not expired. */
  isCurrent({ expiresAt }: TokenClaims): boolean {
    return this.#dependencies.clock.now() < expiresAt.getTime();
  }

  /** @throws ServiceError (unavailable) while there is no primary key: the operator has not made one yet. */
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
      throw new ServiceError('unavailable', 'there is no token signing key yet');
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
  // Without "typ", which says nothing here and costs 16 bytes.
  return { alg: 'HS256', typ: undefined, kid };
}

function encodedHeader(kid: string): string {
  return Buffer.from(JSON.stringify(headerOf(kid))).toString('base64url');
}

/** 21 bytes, which would take a token with long ids, or a long name, over the 300 that clients have room for. */
function expiryOf(
  { s, t = '', jti }: Pick<Payload, 's' | 't' | 'jti'>,
  { issuedAt, expiresAt }: Pick<TokenClaims, 'issuedAt' | 'expiresAt'>,
) {
  const isLong = s.length + t.length + jti.length > MOST_WITH_EXPIRY;
  const isUsual = expiresAt.getTime() - issuedAt.getTime() === TOKEN_LIFETIME_MS;
  return isLong && isUsual ? {} : { exp: expiresAt.getTime() / 1000 };
}

function toClaims(payload: Payload): TokenClaims {
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
 * Ids in tokens. Hex digits take two thirds of their characters as base64url: ours are 32 of them, those of other
 * systems up to 64, and a token with two of either stays below 300 bytes. Other ids stand as they are. The first
 * character tells which.
 */
const HEX_ID = /^([0-9a-f]{2})+$/;
/** What is shorter gains next to nothing, and can be read by people as it is. */
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
