import type { Caller } from '@zonewright/zones';

/** A caller whose connection outlives the answer to one request. */
export interface HeldToken {
  readonly caller: Caller;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** False: something was revoked that it may hang on, so it is to be validated anew. */
  readonly isUnchanged: () => boolean;
  /** In how many milliseconds it is to be validated anew in any case. */
  readonly goodForMs: number;
}

/** Says who stands behind a token. */
export interface TokenValidator {
  /**
   * @param source the network that the token came from; see sourceNetwork.
   * @throws ServiceError `unauthenticated` (no valid token, not scoped, service not activated), `forbidden`
   * (disabled or suspended user) or `unavailable` (it cannot be told now: never taken as valid);
   * Overload when too much is asked on behalf of the same.
   */
  validate(token: string, source: string): Promise<Caller>;
  /** As validate, for a connection that stays. */
  hold(token: string, source: string): Promise<HeldToken>;
  /** Whom a token belongs to, if that is known without asking. */
  findKnown?(token: string): Caller | undefined;
}
