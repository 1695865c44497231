import {
  listSigningKeys,
  retireExpiredSigningKeys,
  retireSigningKey,
  rotateSigningKey,
  type SigningKey,
} from '@zonewright/accounts';
import { ServiceError } from '@zonewright/service-kit';
import type { Column } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function signingKeyCommands(host: Host): Command {
  return commandGroup(
    'signing-key',
    'manage the keys that sign tokens',
    [signingKeyListCommand(host), signingKeyRotateCommand(host), signingKeyRetireCommand(host)],
    'signing-key rotate',
  );
}

const SIGNING_KEY_COLUMNS: readonly Column<SigningKey>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Primary', member: 'isPrimary' },
  { title: 'Created', member: 'createdAt' },
  { title: 'Replaced', member: 'replacedAt' },
  { title: 'Retired', member: 'retiredAt' },
];

function signingKeyListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the keys that sign tokens, newest first',
    'signing-key list',
  ).action(
    withSession(host, async ({ db, output }) => {
      output.list(await listSigningKeys(db), SIGNING_KEY_COLUMNS);
    }),
  );
}

interface RetireOptions {
  readonly force?: boolean;
  readonly expired?: boolean;
}

function signingKeyRetireCommand(host: Host): Command {
  return operatorCommand(
    'retire',
    'retire a key and end its tokens',
    'signing-key retire 1f2e3d4c',
    'signing-key retire --expired',
  )
    .argument('[id]', 'ID of the key')
    .option('--expired', 'retire all keys whose last token has expired; always safe')
    .option('--force', 'retire the key even if its tokens may be in use; they end at once')
    .action(
      withSession(
        host,
        async ({ db, output }, id: string | undefined, { force, expired }: RetireOptions) => {
          if ((id === undefined) !== (expired === true) || (expired === true && force === true)) {
            throw new ServiceError(
              'invalid',
              'specify the ID of a key, or --expired without --force',
            );
          }
          if (id === undefined)
            output.list(await retireExpiredSigningKeys(db), SIGNING_KEY_COLUMNS);
          else output.item(await retireSigningKey(db, { id, force }), SIGNING_KEY_COLUMNS);
        },
      ),
    );
}

function signingKeyRotateCommand(host: Host): Command {
  return operatorCommand(
    'rotate',
    'sign new tokens with a new key; earlier tokens stay valid',
    'signing-key rotate',
  ).action(
    withSession(host, async ({ db, keyring, output }) => {
      output.item(await rotateSigningKey(db, keyring()), SIGNING_KEY_COLUMNS);
    }),
  );
}
