import {
  type AccessKeySummary,
  createAccessKey,
  getUser,
  importAccessKey,
  listAccessKeySummaries,
  purgeAccessKeys,
  type RestrictionContent,
  revokeAccessKey,
} from '@zonewright/accounts';
import { type Column, readSecret } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { type AccessKeyOptions, addAccessKeyOptions, toKeyInput } from './access-key-options.js';

export function accessKeyCommands(host: Host): Command {
  return commandGroup(
    'access-key',
    'manage access keys, with which programs authenticate',
    [
      accessKeyCreateCommand(host),
      accessKeyListCommand(host),
      accessKeyImportCommand(host),
      accessKeyRevokeCommand(host),
      accessKeyPurgeCommand(host),
    ],
    'access-key create --user alice',
  );
}

/** A key with a description of its restrictions. */
type AccessKeyRow<T extends AccessKeySummary = AccessKeySummary> = T & {
  readonly restrictedTo: string | null;
};

const ACCESS_KEY_COLUMNS: readonly Column<AccessKeyRow>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'User', member: 'userName' },
  { title: 'Status', member: 'status' },
  { title: 'Algorithm', member: 'algorithm', isDetail: true },
  { title: 'Key length', member: 'keyLength', isDetail: true },
  { title: 'Valid from', member: 'validFrom', isDetail: true },
  { title: 'Valid to', member: 'validTo' },
  { title: 'Created', member: 'createdAt', isDetail: true },
  { title: 'Last used', member: 'lastUsedAt', none: 'never' },
  { title: 'Restrictions', member: 'restrictedTo', none: 'none' },
];

function toRow<T extends AccessKeySummary>(key: T): AccessKeyRow<T> {
  return { ...key, restrictedTo: key.restriction && describe(key.restriction) };
}

function describe({ tenantId, rules, networks }: RestrictionContent): string {
  const [rule, ...others] = rules ?? [];
  const what =
    rule === undefined
      ? `tenant ${tenantId}`
      : `${rule.actions.join('+')} ${rule.types.join('+')} ${rule.name} in ${rule.zone}`;
  const more = others.length === 0 ? '' : `, ${others.length} more rules`;
  return what + more + (networks.length === 0 ? '' : `, from ${networks.join(' ')}`);
}

interface AccessKeyCreateOptions extends AccessKeyOptions {
  readonly id?: string;
}

function accessKeyCreateCommand(host: Host): Command {
  const command = operatorCommand(
    'create',
    'create an access key for a user and print its secret once',
    'access-key create --user alice',
    'access-key create --user alice --name web1 --preset acme --zone example.com.',
    'access-key create --user alice --valid-to 2030-01-31T00:00:00 --json',
  ).option('--id <id>', 'ID of the key (default: generated)');
  return addAccessKeyOptions(command).action(
    withSession(host, async ({ db, keyring, output }, options: AccessKeyCreateOptions) => {
      const input = { ...(await toKeyInput(db, options)), id: options.id };
      const key = await createAccessKey(db, keyring(), input);
      output.item(toRow(key), [
        ...ACCESS_KEY_COLUMNS,
        { title: 'Secret key', member: 'secretKey' },
      ]);
      output.remark('The secret key cannot be shown again.');
    }),
  );
}

interface AccessKeyImportOptions extends AccessKeyOptions {
  readonly secretStdin?: boolean;
  readonly inactive?: boolean;
}

function accessKeyImportCommand(host: Host): Command {
  const command = operatorCommand(
    'import',
    'import an access key with its ID and secret key',
    'access-key import ABCDEFGHIJ0123456789 --user alice',
    'access-key import ABCDEFGHIJ0123456789 --user alice --secret-stdin < secret.txt',
  )
    .argument('<id>', 'ID of the access key')
    .option('--secret-stdin', 'read the secret key from standard input (default: prompt)')
    .option('--inactive', 'create the key as inactive; its owner can activate it');
  return addAccessKeyOptions(command).action(
    withSession(
      host,
      async ({ db, keyring, output }, id: string, options: AccessKeyImportOptions) => {
        // The keys are checked before anybody types a secret key that could not be stored.
        const keys = keyring();
        const secretKey = await readSecret(host, {
          what: 'secret key',
          option: '--secret-stdin',
          fromStdin: options.secretStdin === true,
        });
        const status = options.inactive === true ? 'inactive' : 'active';
        const key = await importAccessKey(db, keys, {
          ...(await toKeyInput(db, options)),
          id,
          secretKey,
          status,
        });
        output.item(toRow(key), ACCESS_KEY_COLUMNS);
      },
    ),
  );
}

function accessKeyListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list access keys without their secret keys',
    'access-key list --user alice',
  )
    .option('--user <id|name>', 'only keys of this user')
    .action(
      withSession(host, async ({ db, output }, options: { user?: string }) => {
        const user = options.user === undefined ? undefined : await getUser(db, options.user);
        const keys = await listAccessKeySummaries(db, user?.id);
        output.list(keys.map(toRow), ACCESS_KEY_COLUMNS);
      }),
    );
}

function accessKeyPurgeCommand(host: Host): Command {
  return operatorCommand(
    'purge',
    'purge keys that were deleted ACCESS_KEY_PURGE_DAYS days ago',
    'access-key purge',
  ).action(
    withSession(host, async ({ db, settings, output }) => {
      const purged = await purgeAccessKeys(db, settings.accessKeyPurgeDays);
      const count = purged.length === 1 ? '1 access key' : `${purged.length} access keys`;
      output.done(`${count} purged.`, { purged });
    }),
  );
}

function accessKeyRevokeCommand(host: Host): Command {
  return operatorCommand(
    'revoke',
    'revoke an access key and erase its secret key',
    'access-key revoke ABCDEFGHIJ0123456789',
  )
    .argument('<id>', 'ID of the access key')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.item(toRow(await revokeAccessKey(db, id)), ACCESS_KEY_COLUMNS);
      }),
    );
}
