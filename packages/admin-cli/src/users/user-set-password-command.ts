import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import {
  getUser,
  listActiveAccessKeyIds,
  parseChosenPassword,
  setUserPassword,
} from '@zonewright/accounts';
import { readSecret } from '@zonewright/terminal';
import { remarkActiveKeys } from './remark-active-keys.js';
import { USER_COLUMNS } from './user-columns.js';
import { ALLOW_WEAK_HELP, ALLOW_WEAK_REMEDY } from './weak-password.js';

interface SetPasswordOptions {
  readonly passwordStdin?: boolean;
  readonly allowWeakPassword?: boolean;
}

export function userSetPasswordCommand(host: Host): Command {
  return operatorCommand(
    'set-password',
    'give a user a new password, which is asked for; every token got before ends',
    'user set-password alice',
    'user set-password alice --password-stdin < password.txt',
  )
    .argument('<user>', 'id or name')
    .option('--password-stdin', 'read the password from standard input')
    .option('--allow-weak-password', ALLOW_WEAK_HELP)
    .action(
      withSession(host, async ({ db, output }, reference: string, options: SetPasswordOptions) => {
        // Before anybody types a password for a user who does not exist.
        const { id, name } = await getUser(db, reference);
        const password = await readSecret(host, {
          what: 'password',
          option: '--password-stdin',
          fromStdin: options.passwordStdin === true,
        });
        if (options.allowWeakPassword !== true) {
          parseChosenPassword(password, name, ALLOW_WEAK_REMEDY);
        }
        output.item(await setUserPassword(db, id, password), USER_COLUMNS);
        remarkActiveKeys(output, await listActiveAccessKeyIds(db, id));
      }),
    );
}
