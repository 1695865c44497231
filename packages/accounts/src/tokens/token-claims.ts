import { randomBytes } from 'node:crypto';

/** Method by which the holder of a token authenticated. */
export type AuthenticationMethod = 'password' | 'accessKey' | 'application_credential' | 'token';

/** Identity s2: tokens are valid for 12 hours. */
export const TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * Time for which the state of an expired token is stored. If a clock that ran ahead is corrected, an expired token is
 * valid again, and a revocation must not be forgotten.
 */
export const STATE_RETENTION_MS = 24 * 60 * 60 * 1000;

/** Signed claims of a token. Its scope may have been replaced since (token-states.ts). */
export interface TokenClaims {
  /** Name of the token in state, limits and logs, which must not contain the token itself. */
  readonly jti: string;
  readonly userId: string;
  /** Scope at issue; undefined for an unscoped token. */
  readonly tenantId: string | undefined;
  readonly method: AuthenticationMethod;
  /** For a derived token: issue time of the first one of its chain. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly lineage: TokenLineage;
  /** Number of the restriction of its access key; undefined if unrestricted. */
  readonly restrictionNumber?: number | undefined;
}

/**
 * The name of a token (its `jti`) contains its audit chain: a login, an access key's family, or an older token. A part
 * follows for each token that it was derived through, its own last. The mark precedes the generation of its user's
 * credentials. So everything that a token depends on is named by a prefix of its own name:
 *
 *     `rrrrrrrrrrrr.0`            login by password.
 *     `rrrrrrrrrrrrssssss.0`      derived from it.
 *     `ffffffffffssssss~0`        login by access key of the family f.
 *     `oooooooooooooooossssss!0`  derived from a token whose name has no chain, of an earlier version.
 */
const NAME = /^([\w-]+)([.~!])([0-9a-z]+)$/;
const ROOT_LENGTHS = { '.': 12, '~': 9, '!': 16 } as const;
const STEP_LENGTH = 6;
/** A token with two ids of our own making has less than 300 bytes. */
const MAX_STEPS = 8;
/** Used instead of the last part for all tokens with the maximum number of parts. */
const ANY_STEP = '*';
/** Base of the generation: digits and letters. */
const RADIX = 36;

type Mark = keyof typeof ROOT_LENGTHS;

interface TokenLineage {
  /** Generation of the user's credentials; undefined for a token of a version without generations. */
  readonly generation: number | undefined;
  /** Names whose revocation ends the token, its own last. */
  readonly names: readonly string[];
  /** Name to revoke in order to end the token and everything derived from it. */
  readonly end: string;
}

export function nameLogin(generation: number): string {
  return nameOf(randomText(ROOT_LENGTHS['.']), '.', generation);
}

export function nameLoginByKey(family: string, generation: number): string {
  return nameOf(family + randomText(STEP_LENGTH), '~', generation);
}

/**
 * Returns the name of a token that is derived from another one. At the maximum number of parts the last part is
 * replaced. Then such tokens cannot be told apart, and revoking one ends them all.
 */
export function nameDerived(from: string, generation: number): string {
  const parts = partsOf(from);
  if (parts === undefined) return nameOf(from + randomText(STEP_LENGTH), '!', generation);
  const { chain, mark } = parts;
  const kept = stepsOf(parts) < MAX_STEPS ? chain : chain.slice(0, -STEP_LENGTH);
  return nameOf(kept + randomText(STEP_LENGTH), mark, generation);
}

export function lineageOf(name: string): TokenLineage {
  const parts = partsOf(name);
  if (parts === undefined) return { generation: undefined, names: [name], end: name };
  const { chain, mark, suffix } = parts;
  const rootLength = ROOT_LENGTHS[mark];
  // A family, and a token of an older version, are named without a generation.
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

function partsOf(name: string): NameParts | undefined {
  const [, chain, mark, generation] = NAME.exec(name) ?? [];
  if (chain === undefined || mark === undefined || generation === undefined) return undefined;
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
