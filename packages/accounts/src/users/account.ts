import type { AccountDomain, AccountStatus } from './account-domains.js';

interface Role {
  readonly id: string;
  readonly name: string;
  /** The service that the role belongs to. */
  readonly serviceId: string | undefined;
}

/** A role that a user holds: on a tenant, or without one on the whole account domain. */
export interface HeldRole {
  readonly role: Role;
  readonly tenantId: string | undefined;
}

/** A user with everything that decides what its tokens may do. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  readonly domain: Pick<AccountDomain, 'id' | 'name' | 'status' | 'statusCode'>;
  /** Tokens issued up to this moment are dead. */
  readonly tokensValidAfter: Date | undefined;
  /** Changes with whatever ends all of the user's tokens; each token says in which it was got. */
  readonly credentialGeneration: number;
  readonly assignments: readonly HeldRole[];
}

/** Who may act on other people's tokens and keys: this role, held on the account domain. */
const ADMINISTRATOR_ROLE = 'admin';
/** Who may manage all accounts over the network: this role, held on an account domain, whichever. */
const OPERATOR_ROLE = 'identity-operator';
/** Who may ask about any token: services, with this role held anywhere. */
const SERVICE_ROLE = 'service';

/** Disabled or suspended, itself or through its account domain. */
export function isBlocked(account: Account): boolean {
  return account.status !== 'enabled' || account.domain.status !== 'enabled';
}

/** The roles that count in a scope: those on the tenant and those on the account domain. */
export function rolesInScope(account: Account, tenantId: string | undefined): readonly HeldRole[] {
  return account.assignments.filter(
    (assignment) => assignment.tenantId === undefined || assignment.tenantId === tenantId,
  );
}

/** Whether the user is "validly associated with that tenant" (Identity s4): by a role on the tenant itself. */
export function hasRoleOnTenant(account: Account, tenantId: string): boolean {
  return account.assignments.some((assignment) => assignment.tenantId === tenantId);
}

/** Whether the user administers an account domain: its own, by the administrator role held on the domain. */
export function isAdministratorOf(account: Account, accountDomainId: string): boolean {
  return (
    account.domain.id === accountDomainId &&
    account.assignments.some(
      ({ role, tenantId }) => role.name === ADMINISTRATOR_ROLE && tenantId === undefined,
    )
  );
}

/** Whether the user manages all account domains, as the operator's command does. */
export function isOperator(account: Account): boolean {
  return account.assignments.some(
    ({ role, tenantId }) => role.name === OPERATOR_ROLE && tenantId === undefined,
  );
}

/** Whether the user may validate other people's tokens (decisions 2, Validate). */
export function mayValidateAnyToken(account: Account): boolean {
  return account.assignments.some(
    ({ role }) => role.name === ADMINISTRATOR_ROLE || role.name === SERVICE_ROLE,
  );
}

/** `enabled`, `disabled` or `suspended:<n>` (Identity s2, domainStatus). */
export function domainStatusText({ domain }: Account): string {
  return domain.status === 'suspended' && domain.statusCode !== null
    ? `${domain.status}:${domain.statusCode}`
    : domain.status;
}

/** Whether the user is one of the services, as which they ask for what nobody else may. */
export function isService(account: Account): boolean {
  return account.assignments.some(({ role }) => role.name === SERVICE_ROLE);
}
