import { Progress } from '@zonewright/terminal';
import { resetFeed } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function feedCommands(host: Host): Command {
  return commandGroup(
    'feed',
    'the change feed that nameservers follow',
    [feedRestampCommand(host)],
    'feed reset',
  );
}

function feedRestampCommand(host: Host): Command {
  return operatorCommand(
    'reset',
    'after a restore: match the change feed to the new server',
    'feed reset',
    'feed reset --new-serials',
  )
    .option(
      '--new-serials',
      'give every zone its next serial: needed when changes were lost that nameservers had seen already',
    )
    .action(
      withSession(host, async ({ db, output }, { newSerials }: { newSerials?: boolean }) => {
        const progress = new Progress(output);
        const result = await resetFeed(db, {
          newSerials: newSerials === true,
          onProgress: (zones) => {
            progress.report(() => `${zones} zones stamped`);
          },
        });
        const { zones, journalEntries, nameservers } = result;
        output.done(
          `Reset: ${zones} zones, ${journalEntries} journal entries. ` +
            `Deleted: the status of ${nameservers} nameservers that followed another server.`,
          result,
        );
      }),
    );
}
