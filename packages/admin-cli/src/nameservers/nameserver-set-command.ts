import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { NAMESERVER_COLUMNS } from './nameserver-columns.js';
import { changeNameserver } from '@zonewright/zones';

interface NameserverSetOptions {
  readonly name?: string;
  /** False with --no-ipv4. */
  readonly ipv4?: string | false;
  readonly ipv6?: string | false;
}

export function nameserverSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'change the name or the addresses of a nameserver; what is not given stays as it is',
    'nameserver set ns1-1 --ipv4 198.51.100.1 --no-ipv6',
    'nameserver set ns1-1 --name ns2-1',
  )
    .argument('<nameserver>', 'its name: a label under the nameserver domain, or in full')
    .option('--name <name>', 'its new name')
    .option('--ipv4 <address>', 'its A record')
    .option('--no-ipv4', 'take its A record away')
    .option('--ipv6 <address>', 'its AAAA record')
    .option('--no-ipv6', 'take its AAAA record away')
    .action(
      withSession(
        host,
        async ({ db, output }, reference: string, options: NameserverSetOptions) => {
          const server = await changeNameserver(db, reference, {
            name: options.name,
            ipv4: options.ipv4 === false ? null : options.ipv4,
            ipv6: options.ipv6 === false ? null : options.ipv6,
          });
          output.item(server, NAMESERVER_COLUMNS);
        },
      ),
    );
}
