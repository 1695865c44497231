import { disableDnssec } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { DNSSEC_COLUMNS } from './dnssec-columns.js';
import { changeDnssec } from './show-dnssec.js';

export function dnssecLeaveCommand(host: Host): Command {
  return operatorCommand(
    'leave',
    'have a domain unsigned once its parent shows no DS any more',
    'dnssec leave example.com.',
  )
    .argument('<domain>', 'name')
    .option(
      '--force',
      'at once: with a DS in the parent it is bogus then for everybody who validates',
    )
    .action(
      withSession(
        host,
        async ({ db, output }, reference: string, options: { readonly force?: true }) => {
          const shown = await changeDnssec(db, reference, (work, { id }) =>
            disableDnssec(work, { id, ifMatch: undefined }, { force: options.force === true }),
          );
          output.item(shown, DNSSEC_COLUMNS);
        },
      ),
    );
}
