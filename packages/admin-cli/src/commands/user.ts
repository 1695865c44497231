import {
  type AccountStatus,
  createUser,
  generatePassword,
  getAccountDomain,
  getUser,
  listActiveAccessKeyIds,
  listUsers,
  parseChosenPassword,
  revokeEverything,
  setUserPassword,
  setUserStatus,
  type User,
} from '@zonewright/accounts';
import { type Column, type Output, readSecret } from '@zonewright/terminal';
import { type Command, Option } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function userCommands(host: Host): Command {
  return commandGroup(
    'user',
    'manage users and their passwords',
    [
      userCreateCommand(host),
      userListCommand(host),
      userShowCommand(host),
      ...userStatusCommands(host),
      userSetPasswordCommand(host),
      userRevokeAllCommand(host),
    ],
    'user create alice --account-domain "Acme Ltd"',
  );
}

/**
 * Reports active keys. A person with a user's password or token may have created them; neither a new password nor the
 * revocation of tokens disables them.
 */
function remarkActiveKeys(output: Output, keys: readonly string[]): void {
  if (keys.length === 0) return;
  output.remark(
    `${keys.length} active access keys can still get tokens for this user. To see them: access-key list. To deactivate them: user revoke-all --keys.`,
  );
}

/** Shows a user, and the generated password, which is printed only once. */
function showUser(output: Output, user: User, generated: string | undefined): void {
  if (generated === undefined) {
    output.item(user, USER_COLUMNS);
    return;
  }
  output.item({ ...user, password: generated }, [
    ...USER_COLUMNS,
    { title: 'New password', member: 'password' },
  ]);
  output.remark('The password cannot be shown again.');
}

const USER_COLUMNS: readonly Column<User>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Account domain', member: 'accountDomainName' },
  { title: 'Status', member: 'status' },
  { title: 'Password', member: 'hasPassword' },
  { title: 'Created', member: 'createdAt' },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];

interface UserCreateOptions {
  readonly id?: string;
  readonly accountDomain?: string;
  readonly passwordStdin?: boolean;
  readonly generatePassword?: boolean;
  readonly allowWeakPassword?: boolean;
  /** False if --no-password is given. */
  readonly password: boolean;
}

function userCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'create a user; asks for the password unless an option sets it',
    'user create alice --account-domain "Acme Ltd"',
    'user create alice --id 10020030040050 --password-stdin < password.txt',
  )
    .argument('<name>', 'user name, unique in the installation, since clients log in by name only')
    .option('--id <id>', 'ID from a previous installation (default: generated)')
    .option('--account-domain <id|name>', 'account domain of the user (default: Default)')
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts([
        'generatePassword',
      ]),
    )
    .option('--generate-password', 'generate a password and print it once')
    .option('--allow-weak-password', ALLOW_WEAK_HELP)
    .addOption(
      new Option(
        '--no-password',
        'create the user without a password, for access keys only',
      ).conflicts(['generatePassword', 'passwordStdin']),
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

function userListCommand(host: Host): Command {
  return operatorCommand('list', 'list users', 'user list --account-domain "Acme Ltd"')
    .option('--account-domain <id|name>', 'only users of this account domain')
    .action(
      withSession(host, async ({ db, output }, options: { accountDomain?: string }) => {
        const domain =
          options.accountDomain === undefined
            ? undefined
            : await getAccountDomain(db, options.accountDomain);
        output.list(await listUsers(db, domain?.id), USER_COLUMNS);
      }),
    );
}

function userRevokeAllCommand(host: Host): Command {
  return operatorCommand(
    'revoke-all',
    'end all tokens of a user',
    'user revoke-all alice',
    'user revoke-all alice --keys',
  )
    .argument('<user>', 'ID or name')
    .option('--keys', 'also deactivate all access keys, which could get new tokens')
    .action(
      withSession(host, async ({ db, output }, reference: string, options: { keys?: boolean }) => {
        const revoked = await revokeEverything(db, reference, { keys: options.keys === true });
        output.item(revoked, [
          ...USER_COLUMNS,
          { title: 'Deactivated', member: 'deactivatedAccessKeys' },
        ]);
        remarkActiveKeys(output, revoked.activeAccessKeys);
      }),
    );
}

interface SetPasswordOptions {
  readonly passwordStdin?: boolean;
  readonly generatePassword?: boolean;
  readonly allowWeakPassword?: boolean;
}

function userSetPasswordCommand(host: Host): Command {
  return operatorCommand(
    'set-password',
    'change the password of a user and end earlier tokens',
    'user set-password alice',
    'user set-password alice --password-stdin < password.txt',
  )
    .argument('<user>', 'ID or name')
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts([
        'generatePassword',
      ]),
    )
    .option('--generate-password', 'generate a password and print it once')
    .option('--allow-weak-password', ALLOW_WEAK_HELP)
    .action(
      withSession(host, async ({ db, output }, reference: string, options: SetPasswordOptions) => {
        // The user is checked before anybody types a password for one who does not exist.
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

function userShowCommand(host: Host): Command {
  return operatorCommand('show', 'show a user', 'user show alice')
    .argument('<user>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getUser(db, reference), USER_COLUMNS);
      }),
    );
}

/** Implements `enable`, `disable` and `suspend` (Identity API, section 5.6). */
function userStatusCommands(host: Host): Command[] {
  return [
    statusCommand(host, 'enable', 'enabled', 'enable a user'),
    statusCommand(host, 'disable', 'disabled', 'disable a user and end the tokens at once'),
    statusCommand(host, 'suspend', 'suspended', 'suspend a user'),
  ];
}

function statusCommand(host: Host, name: string, status: AccountStatus, summary: string): Command {
  return operatorCommand(name, summary, `user ${name} alice`)
    .argument('<user>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await setUserStatus(db, reference, status), USER_COLUMNS);
      }),
    );
}

/** This text is added to the error about a weak password. */
const ALLOW_WEAK_REMEDY = '; --allow-weak-password accepts it nevertheless';
const ALLOW_WEAK_HELP = 'accept a weak password, for example for an imported account';
