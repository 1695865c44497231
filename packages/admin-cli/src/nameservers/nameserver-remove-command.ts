import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { removeNameserver } from '@zonewright/zones';

export function nameserverRemoveCommand(host: Host): Command {
  return operatorCommand(
    'remove',
    'take a nameserver out of the list and out of every zone',
    'nameserver remove ns1-6',
  )
    .argument('<nameserver>', 'its name: a label under the nameserver domain, or in full')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const server = await removeNameserver(db, reference);
        output.done(
          server === undefined
            ? `${reference} was not in the list; what its process last said is forgotten.`
            : `The nameserver ${server.name} is removed.`,
          server ?? { name: reference },
        );
      }),
    );
}
