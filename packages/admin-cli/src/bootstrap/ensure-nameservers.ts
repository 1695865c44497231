import { findNameserverDomain } from '../nameservers/nameserver-domain-store.js';
import { setNameserverDomain } from '../nameservers/nameserver-domain.js';
import { listNameservers } from '../nameservers/nameserver-store.js';
import { addNameserver, toFullName } from '../nameservers/nameservers.js';
import type { BootstrapOptions, BootstrapRun } from './bootstrap.js';

/** The nameserver domain, if there is none, and those of the nameservers that are not there. */
export async function ensureNameservers(
  run: BootstrapRun,
  options: BootstrapOptions,
): Promise<void> {
  if ((await findNameserverDomain(run.db)) === undefined) {
    const domain = await setNameserverDomain(run.db, {
      name: options.nameserverDomain,
      email: options.nameserverEmail,
    });
    run.created.push(`nameserver domain ${domain.name}`);
  }
  const known = new Set((await listNameservers(run.db)).map((server) => server.name));
  for (const input of options.nameservers) {
    if (known.has(await toFullName(run.db, input.name))) continue;
    const server = await addNameserver(run.db, input);
    run.created.push(`nameserver ${server.name}`);
  }
}
