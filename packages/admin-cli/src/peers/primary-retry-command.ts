import { hastenSecondary, listSecondaries } from '@zonewright/zones';
import type { Command } from 'commander';
import { ServiceError } from '@zonewright/service-kit';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { PRIMARY_COLUMNS } from './peer-columns.js';

export function primaryRetryCommand(host: Host): Command {
  return operatorCommand(
    'retry',
    'have the primaries of a domain asked now, and not when its SOA says',
    'primary retry example.com.',
  )
    .argument('<domain>', 'name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const name = `${reference.toLowerCase().replace(/\.$/, '')}.`;
        const zone = (await listSecondaries(db)).find((each) => each.name === name);
        if (zone === undefined) {
          throw new ServiceError('not-found', `there is no domain ${name} that has primaries`);
        }
        await hastenSecondary(db, zone.zoneId);
        output.item(zone, PRIMARY_COLUMNS);
      }),
    );
}
