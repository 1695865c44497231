import { type Command, Option } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { createUser, generatePassword, parseChosenPassword } from '@zonewright/accounts';
import { readSecret } from '@zonewright/terminal';
import { showUser } from './show-user.js';
import { ALLOW_WEAK_HELP, ALLOW_WEAK_REMEDY } from './weak-password.js';

interface UserCreateOptions {
  readonly id?: string;
  readonly accountDomain?: string;
  readonly passwordStdin?: boolean;
  readonly generatePassword?: boolean;
  readonly allowWeakPassword?: boolean;
  /** False with --no-password. */
  readonly password: boolean;
}

export function userCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'make a user; the password is asked for, unless an option says otherwise',
    'user create alice --account-domain "Acme Ltd"',
    'user create alice --id 10020030040050 --password-stdin < password.txt',
  )
    .argument('<name>', 'unique in the installation: clients log in by name alone')
    .option('--id <id>', 'the id that the user had elsewhere; otherwise a new one')
    .option('--account-domain <id|name>', 'where the user belongs (default: Default)')
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts([
        'generatePassword',
      ]),
    )
    .option('--generate-password', 'make a password and print it, this once')
    .option('--allow-weak-password', ALLOW_WEAK_HELP)
    .addOption(
      new Option('--no-password', 'let the user authenticate by access key only').conflicts([
        'generatePassword',
        'passwordStdin',
      ]),
    )
    .action(
      withSession(host, async ({ db, output }, name: string, options: UserCreateOptions) => {
        const password = await choosePassword(host, name, options);
        const { id, accountDomain } = options;
        const user = await createUser(db, { name, id, accountDomain, password });
        showUser(output, user, options.generatePassword === true ? password : undefined);
      }),
    );
}

async function choosePassword(
  host: Host,
  name: string,
  options: UserCreateOptions,
): Promise<string | undefined> {
  if (!options.password) return undefined;
  if (options.generatePassword === true) return generatePassword();
  const password = await readSecret(host, {
    what: 'password',
    option: '--password-stdin',
    fromStdin: options.passwordStdin === true,
  });
  return options.allowWeakPassword === true
    ? password
    : parseChosenPassword(password, name, ALLOW_WEAK_REMEDY);
}
