import type { TokenLineage } from './token-lineage.js';

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
