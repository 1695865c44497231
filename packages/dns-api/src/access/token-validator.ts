import type { Caller } from '@zonewright/zones';

/** A caller whose connection lasts longer than one response. */
export interface HeldToken {
  readonly caller: Caller;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whether nothing was revoked that the token depends on. If false, the token must be validated again. */
  readonly isUnchanged: () => boolean;
  /** Milliseconds until the token must be validated again in any case. */
  readonly goodForMs: number;
}

/** Finds the caller of a token. */
export interface TokenValidator {
  /**
   * @param source network of the client; see sourceNetwork
   * @throws ServiceError `unauthenticated` if the token is not valid or not scoped, or its service is not activated.
   * @throws ServiceError `forbidden` if the user is disabled or suspended.
   * @throws ServiceError `unavailable` if the token cannot be checked now; it is never accepted unchecked.
   * @throws Overload if the same source or tenant has too many validations in progress.
   */
  validate(token: string, source: string): Promise<Caller>;
  /** Like `validate`, for a connection that stays open. */
  hold(token: string, source: string): Promise<HeldToken>;
  /** Returns the caller of a token if it is cached. */
  findKnown?(token: string): Caller | undefined;
}
