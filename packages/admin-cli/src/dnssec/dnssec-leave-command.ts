import { disableDnssec } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { dnssecAction } from './dnssec-action.js';

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
      dnssecAction(
        host,
        ({ force = false }: { readonly force?: boolean }) =>
          (work, target) =>
            disableDnssec(work, target, { force }),
      ),
    );
}
