import type { Command } from 'commander';
import { type AccountStatus, setUserStatus } from '@zonewright/accounts';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { USER_COLUMNS } from './user-columns.js';

/** `enable`, `disable` and `suspend`: Identity API s5.6 says what a user who is not enabled may not do. */
export function userStatusCommands(host: Host): Command[] {
  return [
    statusCommand(host, 'enable', 'enabled', 'let a user work again'),
    statusCommand(host, 'disable', 'disabled', 'shut a user out; tokens are refused at once'),
    statusCommand(host, 'suspend', 'suspended', 'shut a user out for the time being'),
  ];
}

function statusCommand(host: Host, name: string, status: AccountStatus, summary: string): Command {
  return operatorCommand(name, summary, `user ${name} alice`)
    .argument('<user>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await setUserStatus(db, reference, status), USER_COLUMNS);
      }),
    );
}
