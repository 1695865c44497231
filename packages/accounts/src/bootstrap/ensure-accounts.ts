import { createAccountDomain, DEFAULT_ACCOUNT_DOMAIN } from '../account-domains/account-domains.js';
import { createUser } from '../users/users.js';
import { findAccountDomain } from '../account-domains/account-domain-store.js';
import { findUser, type User } from '../users/user-store.js';
import { generatePassword } from '../users/passwords.js';
import { NAMESERVER_ROLE } from '../roles/built-in-roles.js';
import { getRole } from '../roles/get-role.js';
import { insertRoleAssignment } from '../roles/role-assignment-store.js';
import type { AccountsBootstrapOptions, BootstrapRun, BootstrapSecrets } from './bootstrap-run.js';

/**
 * Apart from everybody else, since an administrator of an account domain may read the access keys of its users
 * (decisions 2): those of the services are for the operator alone.
 */
const SERVICE_ACCOUNT_DOMAIN = { id: 'services', name: 'Services' } as const;

/** The user as which dns-api validates tokens. */
const SERVICE_USER_NAME = 'dns-api';
/** The user as which nameservers relay updates. */
const NAMESERVER_USER_NAME = 'nameserver';

export interface BootstrapAccounts {
  readonly administrator: User;
  readonly serviceUser: User;
  readonly secrets: Pick<BootstrapSecrets, 'administratorPassword'>;
}

/** Account domains, and in them the administrator and the service user, each with its role. */
export async function ensureAccounts(
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

/** The user of the nameservers, which may do what its role says and nothing else. */
export async function ensureNameserverUser(run: BootstrapRun): Promise<User> {
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
