import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { USER_COLUMNS } from './user-columns.js';
import { getUser } from '@zonewright/accounts';

export function userShowCommand(host: Host): Command {
  return operatorCommand('show', 'show a user', 'user show alice')
    .argument('<user>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getUser(db, reference), USER_COLUMNS);
      }),
    );
}
