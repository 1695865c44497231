import { Progress } from '@zonewright/terminal';
import { resetFeed } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function feedCommands(host: Host): Command {
  return commandGroup(
    'feed',
    'manage the change feed that nameservers follow',
    [feedRestampCommand(host)],
    'feed reset',
  );
}

function feedRestampCommand(host: Host): Command {
  return operatorCommand(
    'reset',
    'adapt the change feed to a new PostgreSQL server after a restore',
    'feed reset',
    'feed reset --new-serials',
  )
    .option(
      '--new-serials',
      'increase the serial of every zone; required if changes were lost that nameservers had already read',
    )
    .action(
      withSession(host, async ({ db, output }, { newSerials }: { newSerials?: boolean }) => {
        const progress = new Progress(output);
        const result = await resetFeed(db, {
          newSerials: newSerials === true,
          onProgress: (zones) => {
            progress.report(() => `${zones} zones reset`);
          },
        });
        const { zones, journalEntries, nameservers } = result;
        output.done(
          `Change feed reset: ${zones} zones, ${journalEntries} journal entries. ` +
            `Status deleted of nameservers that followed another server: ${nameservers}.`,
          result,
        );
      }),
    );
}
