import type { AccessRule } from '@zonewright/dns-records';
import { invalidRequest, type Problem } from '@zonewright/service-kit';

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

/** An access key that may do less than its user (ADR 0027). */
export interface RestrictedKey {
  readonly id: string;
  /** Undefined: all rights of the user in the tenant. */
  readonly rules: readonly AccessRule[] | undefined;
  /** Networks from which it may be used; empty: all. */
  readonly networks: readonly string[];
  /** Whether it may remove more of a zone's records at a time than must be confirmed. */
  readonly massDelete: boolean;
}

/**
 * Sources of changes in the journal. The program that receives a change sets it, never the client. A new source is added only here.
 */
export const CHANGE_SOURCES = [
  'api',
  'designate',
  'batch',
  'import',
  'restore',
  'revert',
  'dynamic-update',
  'dyndns',
  'acme',
  'transfer',
  'expiry',
  'operator',
] as const;

export type ChangeSource = (typeof CHANGE_SOURCES)[number];

/** Tenant ids of the identity service, created or imported: up to 64 visible characters. */
const TENANT_ID = /^[^\p{C}\s]{1,64}$/u;

/**
 * Reads the id of another tenant. Whether it exists only the identity service could say.
 *
 * @param problems other problems of the request
 * @throws ServiceError `invalid` with all problems
 */
export function readTenantId(path: string, value: unknown, problems: readonly Problem[]): string {
  const isRight = typeof value === 'string' && TENANT_ID.test(value);
  if (isRight && problems.length === 0) return value;
  const message = `${path} must be the id of a project: 1 to 64 characters without spaces.`;
  throw invalidRequest([...problems, ...(isRight ? [] : [{ path, validator: 'format', message }])]);
}
