import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SIGNING_KEY_COLUMNS } from './signing-key-columns.js';
import { rotateSigningKey } from '@zonewright/accounts';

export function signingKeyRotateCommand(host: Host): Command {
  return operatorCommand(
    'rotate',
    'sign new tokens with a new key; tokens signed before stay valid',
    'signing-key rotate',
  ).action(
    withSession(host, async ({ db, keyring, output }) => {
      output.item(await rotateSigningKey(db, keyring()), SIGNING_KEY_COLUMNS);
    }),
  );
}
