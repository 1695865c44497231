import type { Caller } from '@zonewright/zones';

/** Says who stands behind a token. */
export interface TokenValidator {
  /**
   * @throws ServiceError `unauthenticated` (no valid token, not scoped, service not activated), `forbidden`
   * (disabled or suspended user) or `unavailable` (it cannot be told now: never taken as valid).
   */
  validate(token: string): Promise<Caller>;
  /** Whom a token belongs to, if that is known without asking. */
  findKnown?(token: string): Caller | undefined;
}
