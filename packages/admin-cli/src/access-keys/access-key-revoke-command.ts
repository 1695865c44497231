import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ACCESS_KEY_COLUMNS, toRow } from './access-key-columns.js';
import { revokeAccessKey } from '@zonewright/accounts';

export function accessKeyRevokeCommand(host: Host): Command {
  return operatorCommand(
    'revoke',
    'end an access key for good and erase its secret key',
    'access-key revoke ABCDEFGHIJ0123456789',
  )
    .argument('<id>', 'the id of the access key')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.item(toRow(await revokeAccessKey(db, id)), ACCESS_KEY_COLUMNS);
      }),
    );
}
