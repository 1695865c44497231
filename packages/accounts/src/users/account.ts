import type { AccountDomain, AccountStatus } from './account-domains.js';

interface Role {
  readonly id: string;
  readonly name: string;
  /** Service that defines the role. */
  readonly serviceId: string | undefined;
}

/** Role that a user holds on a tenant, or on the account domain. */
export interface HeldRole {
  readonly role: Role;
  readonly tenantId: string | undefined;
}

/** User with all data that decides the rights of its tokens. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  readonly domain: Pick<AccountDomain, 'id' | 'name' | 'status' | 'statusCode'>;
  /** Tokens that were issued until this time are invalid. */
  readonly tokensValidAfter: Date | undefined;
  /** Changes whenever all tokens of the user end. Each token contains its own value. */
  readonly credentialGeneration: number;
  readonly assignments: readonly HeldRole[];
}

/** Role on the account domain that allows acting on tokens and keys of other users. */
const ADMINISTRATOR_ROLE = 'admin';
/** Role on any account domain that allows managing all accounts over the network. */
const OPERATOR_ROLE = 'identity-operator';
/** Role of services, which may validate any token. It may be held anywhere. */
const SERVICE_ROLE = 'service';

/** Whether the user or its account domain is disabled or suspended. */
export function isBlocked(account: Account): boolean {
  return account.status !== 'enabled' || account.domain.status !== 'enabled';
}

/** Returns the roles that apply to a scope: those on the tenant and those on the account domain. */
export function rolesInScope(account: Account, tenantId: string | undefined): readonly HeldRole[] {
  return account.assignments.filter(
    (assignment) => assignment.tenantId === undefined || assignment.tenantId === tenantId,
  );
}

/** Whether the user is "validly associated with that tenant" (Identity s4): by a role on the tenant itself. */
export function hasRoleOnTenant(account: Account, tenantId: string): boolean {
  return account.assignments.some((assignment) => assignment.tenantId === tenantId);
}

/** Whether the user administers this account domain: the user belongs to it, and holds the administrator role on it. */
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

/** Whether the user may validate tokens of other users (D-ID-14). */
export function mayValidateAnyToken(account: Account): boolean {
  return account.assignments.some(
    ({ role }) => role.name === ADMINISTRATOR_ROLE || role.name === SERVICE_ROLE,
  );
}

/** Returns `enabled`, `disabled` or `suspended:<n>` (Identity s2, domainStatus). */
export function domainStatusText({ domain }: Account): string {
  return domain.status === 'suspended' && domain.statusCode !== null
    ? `${domain.status}:${domain.statusCode}`
    : domain.status;
}

/** Whether the user is a service, which has access to internal operations. */
export function isService(account: Account): boolean {
  return account.assignments.some(({ role }) => role.name === SERVICE_ROLE);
}
