import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { NAMESERVER_COLUMNS } from './nameserver-columns.js';
import { addNameserver } from '@zonewright/zones';

interface NameserverAddOptions {
  readonly id?: string;
  readonly ipv4?: string;
  readonly ipv6?: string;
}

export function nameserverAddCommand(host: Host): Command {
  return operatorCommand(
    'add',
    'add a nameserver at the end of the list; zones show it with their next serials, which they get in the background',
    'nameserver add ns1-7 --ipv4 192.0.2.7 --ipv6 2001:db8::7',
  )
    .argument('<name>', 'a label under the nameserver domain, or a full name')
    .option('--ipv4 <address>', 'its A record')
    .option('--ipv6 <address>', 'its AAAA record')
    .option('--id <uuid>', 'the id that it had elsewhere; otherwise a new one')
    .action(
      withSession(host, async ({ db, output }, name: string, options: NameserverAddOptions) => {
        output.item(await addNameserver(db, { ...options, name }), NAMESERVER_COLUMNS);
      }),
    );
}
