import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { remarkActiveKeys } from './remark-active-keys.js';
import { USER_COLUMNS } from './user-columns.js';
import { revokeEverything } from '@zonewright/accounts';

export function userRevokeAllCommand(host: Host): Command {
  return operatorCommand(
    'revoke-all',
    'end every token of a user, however it was got',
    'user revoke-all alice',
    'user revoke-all alice --keys',
  )
    .argument('<user>', 'id or name')
    .option('--keys', 'make all active access keys inactive, too: each would get new tokens')
    .action(
      withSession(host, async ({ db, output }, reference: string, options: { keys?: boolean }) => {
        const revoked = await revokeEverything(db, reference, { keys: options.keys === true });
        output.item(revoked, [
          ...USER_COLUMNS,
          { title: 'Made inactive', member: 'deactivatedAccessKeys' },
        ]);
        remarkActiveKeys(output, revoked.activeAccessKeys);
      }),
    );
}
