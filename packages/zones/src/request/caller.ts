import type { RestrictedKey } from './restricted-key.js';

/** On whose behalf a request is made: what is kept of a valid, scoped token. */
export interface Caller {
  readonly userId: string;
  /** For people who look at what was changed; a name can be given to another user later. */
  readonly userName?: string | undefined;
  readonly tenantId: string;
  /** Names of the roles that the user has there. */
  readonly roles: readonly string[];
  /** The restricted access key with which the token was got; undefined: the token may do whatever its user may. */
  readonly key?: RestrictedKey | undefined;
  /** Whether the tenant is not the user's own: it shares a zone with that one. */
  readonly isGuest?: boolean | undefined;
  /** The access key that signed what is done; undefined where a token stands for it. */
  readonly accessKeyId?: string | undefined;
}

/** Viewer of zones and records. */
export type Viewer = Pick<Caller, 'tenantId' | 'key'>;

/** Viewer of the zones of a tenant, or of all tenants if undefined. */
export interface AnyViewer extends Omit<Viewer, 'tenantId'> {
  readonly tenantId: string | undefined;
}
