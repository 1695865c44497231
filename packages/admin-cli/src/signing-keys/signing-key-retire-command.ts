import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SIGNING_KEY_COLUMNS } from './signing-key-columns.js';
import { retireSigningKey } from './signing-keys.js';

export function signingKeyRetireCommand(host: Host): Command {
  return operatorCommand(
    'retire',
    'accept no token any more that a key signed',
    'signing-key retire 1f2e3d4c',
  )
    .argument('<id>', 'the id of the key')
    .option('--force', 'also while tokens that it signed may be in use: they end at once')
    .action(
      withSession(host, async ({ db, output }, id: string, options: { force?: boolean }) => {
        const key = await retireSigningKey(db, { id, force: options.force });
        output.item(key, SIGNING_KEY_COLUMNS);
      }),
    );
}
