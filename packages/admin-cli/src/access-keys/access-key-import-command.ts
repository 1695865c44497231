import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ACCESS_KEY_COLUMNS, toRow } from './access-key-columns.js';
import { type AccessKeyOptions, addAccessKeyOptions, toKeyInput } from './access-key-options.js';
import { importAccessKey } from '@zonewright/accounts';
import { readSecret } from '@zonewright/terminal';

interface AccessKeyImportOptions extends AccessKeyOptions {
  readonly secretStdin?: boolean;
  readonly inactive?: boolean;
}

export function accessKeyImportCommand(host: Host): Command {
  const command = operatorCommand(
    'import',
    'take over an access key with the id and the secret key that it had elsewhere',
    'access-key import ABCDEFGHIJ0123456789 --user alice',
    'access-key import ABCDEFGHIJ0123456789 --user alice --secret-stdin < secret.txt',
  )
    .argument('<id>', 'the id of the access key')
    .option('--secret-stdin', 'read the secret key from standard input; otherwise it is asked for')
    .option('--inactive', 'cannot be used until its owner activates it');
  return addAccessKeyOptions(command).action(
    withSession(
      host,
      async ({ db, keyring, output }, id: string, options: AccessKeyImportOptions) => {
        // Before anybody types a secret key that cannot be stored.
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
