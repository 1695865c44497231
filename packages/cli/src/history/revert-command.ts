import type { Command } from 'commander';
import { confirm } from '../command/confirm.js';
import type { Host } from '../command/host.js';
import { writeCommand } from '../command/user-command.js';
import { renderDifference } from '../record/render-difference.js';
import { withSession } from '../session/session.js';
import { parseSerial } from './history-commands.js';

export function revertCommand(host: Host): Command {
  return writeCommand(
    'revert',
    'revert a single change and keep later ones; shows a preview first',
    'revert example.com 1795330350',
  )
    .argument('<domain>', 'domain name or ID')
    .argument('<serial>', 'serial of the change, as `history` shows it', parseSerial)
    .option('--yes', 'do not ask for a confirmation')
    .action(
      withSession(
        host,
        async (session, domain: string, serial: number, options: { yes?: boolean }) => {
          const { client, output, reading, write } = session;
          const { value, etag } = await client.domains.get(domain, reading);
          const wish = { ...reading, ifMatch: etag, confirm: true };
          const preview = await client.domains.revert(value.id, serial, { ...wish, dryRun: true });
          for (const line of renderDifference(host, preview.value.difference)) output.remark(line);
          await confirm(host, options, `Revert serial ${serial}?`);
          const answer = await write(value.name, (each) =>
            client.domains.revert(value.id, serial, { ...wish, ...each }),
          );
          output.done(`Reverted serial ${serial}.`, answer.value);
        },
      ),
    );
}
