import { ServiceError } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import { readRestrictedKey, type RestrictionBody } from './key-restriction.js';
import { NAMESERVER_ROLE, NO_TENANT } from './require-allowed.js';

/** A caller whose connection lasts longer than one response. */
export interface HeldToken {
  readonly caller: Caller;
  /** The time in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whether nothing that the token depends on was revoked. If false, the token must be validated again. */
  readonly isUnchanged: () => boolean;
  /** The number of milliseconds until the token must be validated again in any case. */
  readonly goodForMs: number;
}

/** Finds the caller of a token. */
export interface TokenValidator {
  /**
   * @param source network of the client; see sourceNetwork
   * @throws ServiceError `unauthenticated` if the token is not valid or not scoped, or its service is not activated
   * @throws ServiceError `forbidden` if the user is disabled or suspended
   * @throws ServiceError `unavailable` if the token cannot be checked now; it is never accepted unchecked
   * @throws Overload if the same source or tenant has too many validations in progress
   */
  validate(token: string, source: string): Promise<Caller>;
  /** Like `validate`, for a connection that stays open. */
  hold(token: string, source: string): Promise<HeldToken>;
  /** Returns the caller of a token if it is cached. */
  findKnown?(token: string): Caller | undefined;
}

/** The parts of a v3 `token` body (identity service, GET /v3/auth/tokens) that determine access. */
interface TokenBody extends RestrictionBody {
  readonly user?: { readonly id?: unknown; readonly name?: unknown };
  readonly project?: { readonly id?: unknown };
  readonly roles?: readonly { readonly name?: unknown }[];
  readonly catalog?: readonly { readonly type?: unknown }[];
  readonly expires_at?: unknown;
}

/** A caller, and the data about events that end its token. */
export interface ValidatedToken {
  readonly caller: Caller;
  /** The names whose revocation ends the token, including its own. */
  readonly names: readonly string[];
  /** The Redis run that publishes revocations of the token; undefined if they are not published reliably. */
  readonly revocationsAt: string | undefined;
  /** The time in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Reads a validated token's body. The token must be scoped, and its catalog must contain the DNS service, which shows
 * that the service is activated and the user has the necessary role (D-ZONE-14).
 *
 * @throws ServiceError `unauthenticated` otherwise
 */
export function readTokenBody(
  body: unknown,
  serviceTypes: readonly string[],
): Pick<ValidatedToken, 'caller' | 'expiresAt'> {
  const token = tokenOf(body);
  const { user, project, roles, catalog, expires_at: expiresAt } = token;
  const roleNames = namesOf(roles);
  if (typeof user?.id !== 'string') {
    throw new ServiceError('unavailable', 'The identity service sent a response without a user.');
  }
  const expiry = Date.parse(String(expiresAt));
  if (project === undefined && roleNames.includes(NAMESERVER_ROLE)) {
    const caller = { userId: user.id, tenantId: NO_TENANT, roles: [NAMESERVER_ROLE] };
    return { caller, expiresAt: expiry };
  }
  const key = readRestrictedKey(token);
  if (typeof project?.id !== 'string') {
    throw new ServiceError(
      'unauthenticated',
      'The token is not scoped to a project; log in or rescope with a project (tenantId).',
    );
  }
  if (!hasService(catalog, serviceTypes)) {
    throw new ServiceError(
      'unauthenticated',
      'The DNS service is not activated for this project, or the user does not have the role that it requires.',
    );
  }
  return {
    caller: {
      userId: user.id,
      ...(typeof user.name === 'string' ? { userName: user.name } : {}),
      tenantId: project.id,
      roles: roleNames,
      ...(key === undefined ? {} : { key }),
    },
    expiresAt: expiry,
  };
}

function tokenOf(body: unknown): TokenBody {
  return (body as { token?: TokenBody } | null | undefined)?.token ?? {};
}

function namesOf(roles: TokenBody['roles']): string[] {
  return (roles ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

function hasService(catalog: TokenBody['catalog'], serviceTypes: readonly string[]): boolean {
  return (catalog ?? []).some(({ type }) => serviceTypes.includes(type as string));
}
