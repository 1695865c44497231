import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ACCESS_KEY_COLUMNS, toRow } from './access-key-columns.js';
import { type AccessKeyOptions, addAccessKeyOptions, toKeyInput } from './access-key-options.js';
import { createAccessKey } from '@zonewright/accounts';

interface AccessKeyCreateOptions extends AccessKeyOptions {
  readonly id?: string;
}

export function accessKeyCreateCommand(host: Host): Command {
  const command = operatorCommand(
    'create',
    'make an access key for a user and print its secret key, this once',
    'access-key create --user alice',
    'access-key create --user alice --name web1 --preset acme --zone example.com.',
    'access-key create --user alice --valid-to 2030-01-31T00:00:00 --json',
  ).option('--id <id>', 'an id of your own; otherwise a new one');
  return addAccessKeyOptions(command).action(
    withSession(host, async ({ db, keyring, output }, options: AccessKeyCreateOptions) => {
      const input = { ...(await toKeyInput(db, options)), id: options.id };
      const key = await createAccessKey(db, keyring(), input);
      output.item(toRow(key), [
        ...ACCESS_KEY_COLUMNS,
        { title: 'Secret key', member: 'secretKey' },
      ]);
      output.remark('The secret key is shown this once.');
    }),
  );
}
