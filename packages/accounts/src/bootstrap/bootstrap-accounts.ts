import type { Database, Keyring } from '@zonewright/database';
import { ensureAccounts } from './ensure-accounts.js';
import { ensureCatalog } from './ensure-catalog.js';
import { ensureDesignateEntry } from './ensure-designate-entry.js';
import { ensureRoles } from './ensure-roles.js';
import { ensureServiceAccessKey, type GivenAccessKey } from './ensure-service-access-key.js';
import { ensureSigningKey } from './ensure-signing-key.js';

export interface AccountsBootstrapOptions {
  readonly administratorName: string;
  /** Generated, and returned, if absent. */
  readonly administratorPassword?: string | undefined;
  /** Of the catalog's endpoints. */
  readonly region: string;
  /** Where clients reach the identity service and the DNS API, without a version path. */
  readonly identityUrl: string;
  readonly dnsUrl: string;
  /** Default `ext:dns`; more for old clients (`hpext:dns`). */
  readonly dnsServiceTypes?: readonly string[] | undefined;
  /**
   * Points endpoints that are there already at the given URLs, for an installation that may stand elsewhere at each
   * start. Default false: an operator may have changed them.
   */
  readonly moveEndpoints?: boolean | undefined;
  /** The key with which dns-api is configured already; generated, and returned, if absent. */
  readonly serviceAccessKey?: GivenAccessKey | undefined;
}

/** Secrets that this run generated. They cannot be read again. */
export interface BootstrapSecrets {
  readonly administratorPassword?: string;
  /** The access key of the user as which dns-api validates tokens. */
  readonly serviceAccessKey?: string;
  readonly serviceSecretKey?: string;
}

/** What the steps share: the transaction, and the list that each of them adds to. */
export interface BootstrapRun {
  readonly db: Database;
  readonly keyring: Keyring;
  /** One line for each thing that was made, such as `role admin`. */
  readonly created: string[];
}

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
  await ensureSigningKey(run);
  return {
    administratorId: accounts.administrator.id,
    dnsServiceId: catalog.dnsServiceId,
    secrets: { ...accounts.secrets, ...key },
  };
}
