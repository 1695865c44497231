import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { getUser, listAccessKeySummaries } from '@zonewright/accounts';
import { ACCESS_KEY_COLUMNS, toRow } from './access-key-columns.js';

export function accessKeyListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list access keys, without their secrets',
    'access-key list --user alice',
  )
    .option('--user <id|name>', 'only those of the user')
    .action(
      withSession(host, async ({ db, output }, options: { user?: string }) => {
        const user = options.user === undefined ? undefined : await getUser(db, options.user);
        const keys = await listAccessKeySummaries(db, user?.id);
        output.list(keys.map(toRow), ACCESS_KEY_COLUMNS);
      }),
    );
}
