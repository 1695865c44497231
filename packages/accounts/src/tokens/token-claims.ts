import { randomBytes } from 'node:crypto';

/** Method by which the holder of a token authenticated. */
export type AuthenticationMethod = 'password' | 'accessKey' | 'application_credential' | 'token';

/** Tokens are valid for 12 hours (Identity s2). */
export const TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * Time for which the state of an expired token is stored. If a fast clock is corrected, an expired token becomes valid
 * again, and its revocation must still be known.
 */
export const STATE_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Signed claims of a token. Its scope may have been replaced later (token-states.ts). */
export interface TokenClaims {
  /** Name of the token in state, limits and logs, which must not contain the token itself. */
  readonly jti: string;
  readonly userId: string;
  /** Scope at the time of issue. Undefined for an unscoped token. */
  readonly tenantId: string | undefined;
  readonly method: AuthenticationMethod;
  /** For a derived token, the time at which the first token of its chain was issued. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly lineage: TokenLineage;
  /** Number of the restriction of the access key. Undefined if the key is unrestricted. */
  readonly restrictionNumber?: number | undefined;
}

/**
 * Format of a token's name (`jti`), which contains its audit chain. The chain starts with a login or the family of an
 * access key. It has one further part for each derivation. The mark separates the chain from the
 * generation of the user's credentials. Everything that a token depends on is therefore named by a prefix of its own
 * name:
 *
 *     `rrrrrrrrrrrr.0`            login by password.
 *     `rrrrrrrrrrrrssssss.0`      derived from it.
 *     `ffffffffffssssss~0`        login by access key of the family f.
 */
const NAME = /^([\w-]+)([.~])([0-9a-z]+)$/;
const ROOT_LENGTHS = { '.': 12, '~': 9 } as const;
const STEP_LENGTH = 6;
/** Maximum number of parts. A token with two generated ids then has fewer than 300 bytes. */
const MAX_STEPS = 8;
/** Last part of all tokens with the maximum number of parts. */
const ANY_STEP = '*';
/** Base of the generation, which is written with digits and letters. */
const RADIX = 36;

type Mark = keyof typeof ROOT_LENGTHS;

interface TokenLineage {
  /** Generation of the user's credentials. */
  readonly generation: number;
  /** Names whose revocation ends the token. The token's own name is the last. */
  readonly names: readonly string[];
  /** Name whose revocation ends the token and all tokens derived from it. */
  readonly end: string;
}

export function nameLogin(generation: number): string {
  return nameOf(randomText(ROOT_LENGTHS['.']), '.', generation);
}

export function nameLoginByKey(family: string, generation: number): string {
  return nameOf(family + randomText(STEP_LENGTH), '~', generation);
}

/**
 * Returns the name of a token that is derived from another one. At the maximum number of parts, the last part is
 * replaced. Such tokens cannot be distinguished, and revoking one ends them all.
 */
export function nameDerived(from: string, generation: number): string {
  const parts = partsOf(from);
  const { chain, mark } = parts;
  const kept = stepsOf(parts) < MAX_STEPS ? chain : chain.slice(0, -STEP_LENGTH);
  return nameOf(kept + randomText(STEP_LENGTH), mark, generation);
}

export function isTokenName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** @throws Error if it is not the name of a token */
export function lineageOf(name: string): TokenLineage {
  const parts = partsOf(name);
  const { chain, mark, suffix } = parts;
  const rootLength = ROOT_LENGTHS[mark];
  // The name of a family has no generation.
  const names = [mark === '.' ? chain.slice(0, rootLength) + suffix : chain.slice(0, rootLength)];
  for (let length = rootLength + STEP_LENGTH; length <= chain.length; length += STEP_LENGTH) {
    names.push(chain.slice(0, length) + suffix);
  }
  const isLast = stepsOf(parts) >= MAX_STEPS;
  const end = isLast ? chain.slice(0, -STEP_LENGTH) + ANY_STEP + suffix : name;
  if (isLast) names.splice(-1, 0, end);
  return { generation: Number.parseInt(suffix.slice(1), RADIX), names, end };
}

interface NameParts {
  readonly chain: string;
  readonly mark: Mark;
  /** The mark and the generation. */
  readonly suffix: string;
}

function partsOf(name: string): NameParts {
  const [, chain, mark, generation] = NAME.exec(name) ?? [];
  if (chain === undefined || mark === undefined || generation === undefined) {
    throw new Error('This is not the name of a token.');
  }
  return { chain, mark: mark as Mark, suffix: mark + generation };
}

function stepsOf({ chain, mark }: NameParts): number {
  return (chain.length - ROOT_LENGTHS[mark]) / STEP_LENGTH;
}

function nameOf(chain: string, mark: Mark, generation: number): string {
  return chain + mark + generation.toString(RADIX);
}

function randomText(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length);
}
