import { type Command, Option } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import {
  generatePassword,
  getUser,
  listActiveAccessKeyIds,
  parseChosenPassword,
  setUserPassword,
} from '@zonewright/accounts';
import { readSecret } from '@zonewright/terminal';
import { remarkActiveKeys } from './remark-active-keys.js';
import { showUser } from './show-user.js';
import { ALLOW_WEAK_HELP, ALLOW_WEAK_REMEDY } from './weak-password.js';

interface SetPasswordOptions {
  readonly passwordStdin?: boolean;
  readonly generatePassword?: boolean;
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
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts([
        'generatePassword',
      ]),
    )
    .option('--generate-password', 'make a password and print it, this once')
    .option('--allow-weak-password', ALLOW_WEAK_HELP)
    .action(
      withSession(host, async ({ db, output }, reference: string, options: SetPasswordOptions) => {
        // Before anybody types a password for a user who does not exist.
        const { id, name } = await getUser(db, reference);
        const isGenerated = options.generatePassword === true;
        const password = isGenerated ? generatePassword() : await readChosen(host, name, options);
        const user = await setUserPassword(db, id, password);
        showUser(output, user, isGenerated ? password : undefined);
        remarkActiveKeys(output, await listActiveAccessKeyIds(db, id));
      }),
    );
}

async function readChosen(
  host: Host,
  name: string,
  { passwordStdin, allowWeakPassword }: SetPasswordOptions,
): Promise<string> {
  const password = await readSecret(host, {
    what: 'password',
    option: '--password-stdin',
    fromStdin: passwordStdin === true,
  });
  if (allowWeakPassword !== true) parseChosenPassword(password, name, ALLOW_WEAK_REMEDY);
  return password;
}
