import {
  type AccountsBootstrapOptions,
  bootstrapAccounts,
  type BootstrapRun,
  type BootstrapSecrets,
} from '@zonewright/accounts';
import type { Database, Keyring } from '@zonewright/database';
import {
  addNameserver,
  findNameserverDomain,
  listNameservers,
  type NameserverInput,
  setNameserverDomain,
} from '@zonewright/zones';

export type BootstrapOptions = AccountsBootstrapOptions & FirstNameservers;

/** Objects that a run created, without those that existed before, and without secrets that the caller gave. */
export interface BootstrapResult {
  /** One line for each created object, such as `role admin`. */
  readonly created: readonly string[];
  readonly administratorId: string;
  readonly dnsServiceId: string;
  readonly secrets: BootstrapSecrets;
}

/** Key of the advisory lock that bootstrap takes. */
const BOOTSTRAP_LOCK = 7_255_302;

/**
 * Creates the account domains, roles, first administrator and catalog of a new installation. It also creates the
 * nameservers, the key that signs tokens and the user of dns-api. A second run adds missing objects and changes
 * nothing else. If one part fails, nothing is created.
 *
 * @throws ServiceError invalid, conflict
 */
export async function bootstrap(
  db: Database,
  keyring: Keyring,
  options: BootstrapOptions,
): Promise<BootstrapResult> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [BOOTSTRAP_LOCK]);
    const run: BootstrapRun = { db: trx, keyring, created: [] };
    const accounts = await bootstrapAccounts(run, options);
    await ensureNameservers(run, options);
    return { created: run.created, ...accounts };
  });
}

interface FirstNameservers {
  readonly nameserverDomain: string;
  /** The mailbox in the SOA record of the nameserver domain. */
  readonly nameserverEmail: string;
  readonly nameservers: readonly NameserverInput[];
}

/**
 * Creates the nameserver domain if there is none, and the nameservers of a new installation. If nameservers exist, the
 * operator manages the list. A nameserver that was deleted, or whose domain was renamed, is not created again at the
 * next start.
 */
async function ensureNameservers(run: BootstrapRun, options: FirstNameservers): Promise<void> {
  if ((await findNameserverDomain(run.db)) === undefined) {
    const domain = await setNameserverDomain(run.db, {
      name: options.nameserverDomain,
      email: options.nameserverEmail,
    });
    run.created.push(`nameserver domain ${domain.name}`);
  }
  if ((await listNameservers(run.db)).length > 0) return;
  for (const input of options.nameservers) {
    const server = await addNameserver(run.db, input);
    run.created.push(`nameserver ${server.name}`);
  }
}
