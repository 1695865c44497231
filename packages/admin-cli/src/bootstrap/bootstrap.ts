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

/** What a run made: nothing that was there before, and no secret that the caller had given. */
export interface BootstrapResult {
  /** One line for each thing that was made, such as `role admin`. */
  readonly created: readonly string[];
  readonly administratorId: string;
  readonly dnsServiceId: string;
  readonly secrets: BootstrapSecrets;
}

/** One number for "somebody is bootstrapping this database". */
const BOOTSTRAP_LOCK = 7_255_302;

/**
 * Makes what a new installation needs to begin with: account domains, roles, the first administrator, the
 * catalog, the nameservers, the key that signs tokens and the user as which dns-api works. Run again, it
 * completes what is missing of that and leaves the rest as it is. All or nothing.
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
 * The nameserver domain, if there is none, and the nameservers of a new installation. Where there are some the operator has the
 * list in hand: one that was taken out, or whose domain was renamed, does not come back with the next start.
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
