import { changeService } from '../catalog/services.js';
import { insertRoleAssignment } from '../roles/role-assignments.js';
import {
  createRole,
  DNS_CLOUD_ADMIN_ROLE,
  DNS_OPERATOR_ROLE,
  DNS_ROLE,
  findRole,
  getRole,
  IDENTITY_ROLES,
  NAMESERVER_ROLE,
} from '../roles/roles.js';
import {
  createAccountDomain,
  DEFAULT_ACCOUNT_DOMAIN,
  findAccountDomain,
} from '../users/account-domains.js';
import { generatePassword } from '../users/passwords.js';
import { findUser, type User } from '../users/user-store.js';
import { createUser } from '../users/users.js';
import type { AccountsBootstrapOptions, BootstrapRun, BootstrapSecrets } from './bootstrap-run.js';
import { type BootstrapCatalog, ensureCatalog, ensureDesignateEntry } from './ensure-catalog.js';
import { ensureServiceAccessKey, ensureSigningKey } from './ensure-keys.js';

/**
 * Creates the first accounts: account domains, roles, the administrator, the catalog, the token signing key and the
 * service user of dns-api. A second run adds missing objects and changes nothing else.
 *
 * @throws ServiceError invalid, conflict
 */
export async function bootstrapAccounts(
  run: BootstrapRun,
  options: AccountsBootstrapOptions,
): Promise<{
  readonly administratorId: string;
  readonly dnsServiceId: string;
  readonly secrets: BootstrapSecrets;
}> {
  const catalog = await ensureCatalog(run, options);
  await ensureRoles(run, catalog);
  await ensureDesignateEntry(run, options, catalog);
  const accounts = await ensureAccounts(run, options);
  const key = await ensureServiceAccessKey(run, accounts.serviceUser, options.serviceAccessKey);
  if (options.nameserverAccessKey !== undefined) {
    await ensureRole(run, NAMESERVER_ROLE, catalog.dnsServiceId);
    const user = await ensureNameserverUser(run);
    await ensureServiceAccessKey(run, user, options.nameserverAccessKey);
  }
  await ensureSigningKey(run);
  return {
    administratorId: accounts.administrator.id,
    dnsServiceId: catalog.dnsServiceId,
    secrets: { ...accounts.secrets, ...key },
  };
}

/**
 * Account domain of the service users. An administrator of an account domain may read the access keys of its users
 * (decisions 2), so only the operator manages those of services.
 */
const SERVICE_ACCOUNT_DOMAIN = { id: 'services', name: 'Services' } as const;

/** Name of the user account with which dns-api validates tokens. */
const SERVICE_USER_NAME = 'dns-api';
/** Name of the user account with which nameservers relay updates. */
const NAMESERVER_USER_NAME = 'nameserver';

interface BootstrapAccounts {
  readonly administrator: User;
  readonly serviceUser: User;
  readonly secrets: Pick<BootstrapSecrets, 'administratorPassword'>;
}

/** Creates the account domains, the administrator and the service user, with their roles. */
async function ensureAccounts(
  run: BootstrapRun,
  options: AccountsBootstrapOptions,
): Promise<BootstrapAccounts> {
  for (const domain of [DEFAULT_ACCOUNT_DOMAIN, SERVICE_ACCOUNT_DOMAIN]) {
    if ((await findAccountDomain(run.db, domain.id)) !== undefined) continue;
    await createAccountDomain(run.db, domain);
    run.created.push(`account domain ${domain.name}`);
  }
  const { administrator, secrets } = await ensureAdministrator(run, options);
  await ensureDomainRole(run, administrator, 'admin');
  const serviceUser = await ensureServiceUser(run, SERVICE_USER_NAME);
  await ensureDomainRole(run, serviceUser, 'service');
  return { administrator, serviceUser, secrets };
}

async function ensureAdministrator(
  run: BootstrapRun,
  options: AccountsBootstrapOptions,
): Promise<Pick<BootstrapAccounts, 'administrator' | 'secrets'>> {
  const found = await findUser(run.db, options.administratorName);
  if (found !== undefined) return { administrator: found, secrets: {} };
  const password = options.administratorPassword ?? generatePassword();
  const administrator = await createUser(run.db, { name: options.administratorName, password });
  run.created.push(`user ${administrator.name}`);
  const isGenerated = options.administratorPassword === undefined;
  return { administrator, secrets: isGenerated ? { administratorPassword: password } : {} };
}

/** Creates the user of the nameservers, which has only the rights of its role. */
async function ensureNameserverUser(run: BootstrapRun): Promise<User> {
  const user = await ensureServiceUser(run, NAMESERVER_USER_NAME);
  await ensureDomainRole(run, user, NAMESERVER_ROLE);
  return user;
}

async function ensureServiceUser(run: BootstrapRun, name: string): Promise<User> {
  const found = await findUser(run.db, name);
  if (found !== undefined) return found;
  const user = await createUser(run.db, {
    name,
    accountDomain: SERVICE_ACCOUNT_DOMAIN.id,
  });
  run.created.push(`user ${user.name}`);
  return user;
}

async function ensureDomainRole(run: BootstrapRun, user: User, roleName: string): Promise<void> {
  const role = await getRole(run.db, roleName);
  const assignment = { userId: user.id, roleId: role.id, tenantId: null };
  if (await insertRoleAssignment(run.db, assignment)) {
    run.created.push(`role ${role.name} of user ${user.name}`);
  }
}

/** Creates the roles. Each belongs to the service that requires it (serviceId of a role, Identity API s2). */
async function ensureRoles(run: BootstrapRun, catalog: BootstrapCatalog): Promise<void> {
  for (const name of IDENTITY_ROLES) await ensureRole(run, name, catalog.identityServiceId);
  await ensureRole(run, DNS_OPERATOR_ROLE, catalog.dnsServiceId);
  await ensureRole(run, DNS_CLOUD_ADMIN_ROLE, catalog.dnsServiceId);
  if (await ensureRole(run, DNS_ROLE, catalog.dnsServiceId)) {
    // The role is required only if it is new, because an operator may have opened the service to others later.
    await changeService(run.db, catalog.dnsServiceId, { requiredRoles: [DNS_ROLE] });
  }
}

/** @returns whether the role is new */
async function ensureRole(run: BootstrapRun, name: string, service: string): Promise<boolean> {
  if ((await findRole(run.db, name)) !== undefined) return false;
  await createRole(run.db, { name, service });
  run.created.push(`role ${name}`);
  return true;
}
