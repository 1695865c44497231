import type { Caller } from '@zonewright/zones';

/** Says who stands behind a token. */
export interface TokenValidator {
  /**
   * @param source the network that the token came from; see sourceNetwork.
   * @throws ServiceError `unauthenticated` (no valid token, not scoped, service not activated), `forbidden`
   * (disabled or suspended user) or `unavailable` (it cannot be told now: never taken as valid);
   * Overload when too much is asked on behalf of the same.
   */
  validate(token: string, source: string): Promise<Caller>;
  /** Whom a token belongs to, if that is known without asking. */
  findKnown?(token: string): Caller | undefined;
}
