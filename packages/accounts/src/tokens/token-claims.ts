import { randomBytes } from 'node:crypto';

/** How the holder of a token showed who they are. */
export type AuthenticationMethod = 'password' | 'accessKey' | 'application_credential' | 'token';

/** Identity s2: tokens are valid for 12 hours. */
export const TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * For so long after a token's expiry what has become of it is kept. A clock that ran ahead, and was put right, must not
 * have forgotten that a token is revoked which then lives again.
 */
export const STATE_KEPT_MS = 24 * 60 * 60 * 1000;

/** What a token says by itself; its scope may have been replaced since (token-state.ts). */
export interface TokenClaims {
  /** Names the token in state, limits and logs, where the token itself must not appear. */
  readonly jti: string;
  readonly userId: string;
  /** The scope at issue; undefined: unscoped. */
  readonly tenantId: string | undefined;
  readonly method: AuthenticationMethod;
  /** Of a derived token: when the one was issued that all began with. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly lineage: TokenLineage;
  /** The number of the restrictions of the access key that it was got with; undefined: none. */
  readonly restrictionNumber?: number | undefined;
}

/**
 * The name of a token (its `jti`) says what it comes from: a log-in, an access key's family, or an older token; then a step
 * for each token that it was derived through, its own last. After the mark follows the generation of its user's
 * credentials in which all of them were got. So whatever a token hangs on is named by a beginning of its own name:
 *
 *     rrrrrrrrrrrr.0                log-in by password
 *     rrrrrrrrrrrrssssss.0          derived from it
 *     ffffffffffssssss~0            log-in by access key, whose family is f
 *     oooooooooooooooossssss!0      derived from a token whose name says nothing: of a version before this
 */
const NAME = /^([\w-]+)([.~!])([0-9a-z]+)$/;
const ROOT_LENGTHS = { '.': 12, '~': 9, '!': 16 } as const;
const STEP_LENGTH = 6;
/** A token with two ids of our own making stays below 300 bytes. */
const MAX_STEPS = 8;
/** In the place of a step: all tokens that have as many steps as there may be. */
const ANY_STEP = '*';
/** Generations are counted with digits and letters. */
const RADIX = 36;

type Mark = keyof typeof ROOT_LENGTHS;

interface TokenLineage {
  /** The generation of the user's credentials; undefined for a token of a version that knew none. */
  readonly generation: number | undefined;
  /** The names whose revocation ends the token, its own last. */
  readonly names: readonly string[];
  /** What to revoke so that the token ends, with all that was derived from it. */
  readonly end: string;
}

export function nameLogin(generation: number): string {
  return nameOf(randomText(ROOT_LENGTHS['.']), '.', generation);
}

export function nameLoginByKey(family: string, generation: number): string {
  return nameOf(family + randomText(STEP_LENGTH), '~', generation);
}

/**
 * The name of a token that is derived from another one. With the most steps that there may be it gets the last step
 * anew: then nobody can tell which of such tokens came from which, and revoking one ends them all.
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
