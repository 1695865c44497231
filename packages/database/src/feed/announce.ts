import { CHANNELS } from '../connection/channels.js';
import type { Database } from '../connection/connection.js';

/**
 * Wakes the readers of the feed once this transaction commits; a rollback wakes nobody. To be called in the
 * transaction that set changed_in. `what` is for people who listen: the id of a domain, or the table that all zones
 * show.
 */
export async function announceZoneChange(trx: Database, what: string): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [CHANNELS.dns, what]);
}
