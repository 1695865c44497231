import type { Database, Keyring } from '@zonewright/database';
import {
  type AccountsBootstrapOptions,
  bootstrapAccounts,
  type BootstrapRun,
  type BootstrapSecrets,
} from '@zonewright/accounts';
import { ensureNameservers, type FirstNameservers } from './ensure-nameservers.js';

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
