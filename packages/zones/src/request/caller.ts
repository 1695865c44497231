import type { RestrictedKey } from './restricted-key.js';

/** The author of a request, from a valid, scoped token. */
export interface Caller {
  readonly userId: string;
  /** For readers of the history; the name may be given to another user later. */
  readonly userName?: string | undefined;
  readonly tenantId: string;
  /** Names of the roles that the user has there. */
  readonly roles: readonly string[];
  /** The restricted access key behind the token; undefined: the token has all rights of its user. */
  readonly key?: RestrictedKey | undefined;
  /** Whether the tenant is not the user's own: it shares a zone with that one. */
  readonly isGuest?: boolean | undefined;
  /** The access key that signed the request; undefined for a request with a token. */
  readonly accessKeyId?: string | undefined;
}

/** Viewer of zones and records. */
export type Viewer = Pick<Caller, 'tenantId' | 'key'>;

/** Viewer of the zones of a tenant, or of all tenants if undefined. */
export interface AnyViewer extends Omit<Viewer, 'tenantId'> {
  readonly tenantId: string | undefined;
}
