import { ServiceError } from '@zonewright/service-kit';
import { hastenSecondary, listSecondaries } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { PRIMARY_COLUMNS } from './peer.js';

export function primaryCommands(host: Host): Command {
  return commandGroup(
    'primary',
    'manage secondary domains, whose records come from servers of their tenants',
    [primaryListCommand(host), primaryRetryCommand(host)],
    'primary list --failing',
  );
}

function primaryListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list secondary domains and their state',
    'primary list',
    'primary list --failing',
  )
    .option('--failing', 'only domains whose primaries failed last time')
    .action(
      withSession(host, async ({ db, output }, { failing }: { readonly failing?: true }) => {
        const zones = await listSecondaries(db);
        output.list(
          failing === true ? zones.filter(({ failures }) => failures > 0) : zones,
          PRIMARY_COLUMNS,
        );
      }),
    );
}

function primaryRetryCommand(host: Host): Command {
  return operatorCommand(
    'retry',
    'query the primaries of a domain now',
    'primary retry example.com.',
  )
    .argument('<domain>', 'name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const name = `${reference.toLowerCase().replace(/\.$/, '')}.`;
        const zone = (await listSecondaries(db)).find((each) => each.name === name);
        if (zone === undefined) {
          throw new ServiceError(
            'not-found',
            `there is no secondary domain ${name}; list them with primary list`,
          );
        }
        await hastenSecondary(db, zone.zoneId);
        output.item(zone, PRIMARY_COLUMNS);
      }),
    );
}
