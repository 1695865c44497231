import { rollOver } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { DNSSEC_COLUMNS } from './dnssec-columns.js';
import { changeDnssec } from './show-dnssec.js';

export function dnssecRolloverCommand(host: Host): Command {
  return operatorCommand(
    'rollover',
    'have the key of a domain replaced, say because others may know it',
    'dnssec rollover example.com.',
  )
    .argument('<domain>', 'name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const shown = await changeDnssec(db, reference, (work, { id }) =>
          rollOver(work, { id, ifMatch: undefined }),
        );
        output.item(shown, DNSSEC_COLUMNS);
      }),
    );
}
