import { listSecondaries } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { PRIMARY_COLUMNS } from './peer-columns.js';

export function primaryListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the domains that have primaries, and how that goes',
    'primary list',
    'primary list --failing',
  )
    .option('--failing', 'only those whose primaries failed the last time')
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
