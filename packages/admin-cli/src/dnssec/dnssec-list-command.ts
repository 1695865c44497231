import { listSignings } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SIGNING_COLUMNS } from './dnssec-columns.js';

export function dnssecListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the domains that are signed, or on their way to or from it',
    'dnssec list',
    'dnssec list --state leaving',
  )
    .option('--state <state>', 'only those that are signing, signed, leaving or unsigning')
    .action(
      withSession(host, async ({ db, output }, { state }: { readonly state?: string }) => {
        const zones = await listSignings(db);
        output.list(
          state === undefined ? zones : zones.filter((zone) => zone.state === state),
          SIGNING_COLUMNS,
        );
      }),
    );
}
