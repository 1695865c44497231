import type { AccountsBootstrapOptions, BootstrapRun, BootstrapSecrets } from './bootstrap-run.js';
import { NAMESERVER_ROLE } from '../roles/built-in-roles.js';
import { ensureAccounts, ensureNameserverUser } from './ensure-accounts.js';
import { ensureCatalog } from './ensure-catalog.js';
import { ensureDesignateEntry } from './ensure-designate-entry.js';
import { ensureRole, ensureRoles } from './ensure-roles.js';
import { ensureServiceAccessKey } from './ensure-service-access-key.js';
import { ensureSigningKey } from './ensure-signing-key.js';

/**
 * Makes what accounts begin with: account domains, roles, the first administrator, the catalog, the key that signs tokens
 * and the user as which dns-api works. Run again, it completes what is missing of that and leaves the rest as it is.
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
