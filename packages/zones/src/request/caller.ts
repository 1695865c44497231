import type { AccessRule } from '@zonewright/dns-records';
import { invalidRequest, type Problem } from '@zonewright/service-kit';

/** Author of a request, from a valid token with a scope. */
export interface Caller {
  readonly userId: string;
  /** Name for readers of the history. It may be given to another user later. */
  readonly userName?: string | undefined;
  readonly tenantId: string;
  /** Names of the user's roles in the tenant. */
  readonly roles: readonly string[];
  /** Restricted access key of the token. Undefined if the token has all rights of its user. */
  readonly key?: RestrictedKey | undefined;
  /** Whether the caller belongs to another tenant, with which the zone is shared. */
  readonly isGuest?: boolean | undefined;
  /** Access key that signed the request. Undefined for a request with a token. */
  readonly accessKeyId?: string | undefined;
}

/** Viewer of zones and records. */
export type Viewer = Pick<Caller, 'tenantId' | 'key'>;

/** Viewer of the zones of a tenant, or of all tenants if undefined. */
export interface AnyViewer extends Omit<Viewer, 'tenantId'> {
  readonly tenantId: string | undefined;
}

/** Access key with fewer rights than its user (ADR 0027). */
export interface RestrictedKey {
  readonly id: string;
  /** Undefined if it has all rights of the user in the tenant. */
  readonly rules: readonly AccessRule[] | undefined;
  /** Networks from which it may be used. Empty means all. */
  readonly networks: readonly string[];
  /** Whether the key may remove so many records of a zone at once that a confirmation is needed. */
  readonly massDelete: boolean;
}

/**
 * Sources of changes in the journal. The program that receives a change sets the source, never the client. New sources
 * are added only here.
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

/** Format of tenant ids in the identity service, created or imported: up to 64 visible characters. */
const TENANT_ID = /^[^\p{C}\s]{1,64}$/u;

/**
 * Reads the id of another tenant. Only the identity service knows whether it exists.
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
