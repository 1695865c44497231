import { systemClock } from '@zonewright/service-kit';
import type { DnssecWork } from '@zonewright/zones';
import type { Host } from '../command/host.js';
import { withSession } from '../command/session.js';
import { DNSSEC_COLUMNS } from './dnssec-columns.js';
import { getZoneNamed, showDnssec } from './show-dnssec.js';

type Change = (
  work: DnssecWork,
  target: { readonly id: string; readonly ifMatch: undefined },
) => Promise<unknown>;

/**
 * The action of a command on a domain that is named first: does something on behalf of its tenant, by the rules of the API, and shows
 * how the domain is then.
 *
 * @param read what is to be done, by the other arguments; it throws where they are wrong
 */
export function dnssecAction<A extends unknown[]>(host: Host, read: (...args: A) => Change) {
  return withSession(host, async ({ db, output }, reference: string, ...args: A) => {
    const change = read(...args);
    const shown = await db.transaction(async (trx) => {
      const zone = await getZoneNamed(trx, reference);
      const caller = { userId: 'operator', tenantId: zone.tenantId, roles: [] };
      const work = { trx, caller, clock: systemClock, isDryRun: false };
      await change(work, { id: zone.id, ifMatch: undefined });
      return await showDnssec(trx, zone);
    });
    output.item(shown, DNSSEC_COLUMNS);
  });
}
