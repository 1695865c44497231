import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SIGNING_KEY_COLUMNS } from './signing-key-columns.js';
import { listSigningKeys } from '@zonewright/accounts';

export function signingKeyListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the keys that sign tokens, the newest first',
    'signing-key list',
  ).action(
    withSession(host, async ({ db, output }) => {
      output.list(await listSigningKeys(db), SIGNING_KEY_COLUMNS);
    }),
  );
}
