import { ServiceError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SIGNING_KEY_COLUMNS } from './signing-key-columns.js';
import { retireExpiredSigningKeys, retireSigningKey } from '@zonewright/accounts';

interface RetireOptions {
  readonly force?: boolean;
  readonly expired?: boolean;
}

export function signingKeyRetireCommand(host: Host): Command {
  return operatorCommand(
    'retire',
    'accept no token any more that a key signed',
    'signing-key retire 1f2e3d4c',
    'signing-key retire --expired',
  )
    .argument('[id]', 'the id of the key')
    .option(
      '--expired',
      'all keys whose last token has expired, in the place of one; safe at any time',
    )
    .option('--force', 'also while tokens that it signed may be in use: they end at once')
    .action(
      withSession(
        host,
        async ({ db, output }, id: string | undefined, { force, expired }: RetireOptions) => {
          if ((id === undefined) !== (expired === true) || (expired === true && force === true)) {
            throw new ServiceError('invalid', 'give the id of a key, or --expired without --force');
          }
          if (id === undefined)
            output.list(await retireExpiredSigningKeys(db), SIGNING_KEY_COLUMNS);
          else output.item(await retireSigningKey(db, { id, force }), SIGNING_KEY_COLUMNS);
        },
      ),
    );
}
