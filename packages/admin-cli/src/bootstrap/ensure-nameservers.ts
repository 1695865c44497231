import type { BootstrapRun } from '@zonewright/accounts';
import {
  addNameserver,
  findNameserverDomain,
  listNameservers,
  type NameserverInput,
  setNameserverDomain,
} from '@zonewright/zones';

export interface FirstNameservers {
  readonly nameserverDomain: string;
  /** The mailbox in the SOA record of the nameserver domain. */
  readonly nameserverEmail: string;
  readonly nameservers: readonly NameserverInput[];
}

/**
 * The nameserver domain, if there is none, and the nameservers of a new installation. Where there are some the operator has the
 * list in hand: one that was taken out, or whose domain was renamed, does not come back with the next start.
 */
export async function ensureNameservers(
  run: BootstrapRun,
  options: FirstNameservers,
): Promise<void> {
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
