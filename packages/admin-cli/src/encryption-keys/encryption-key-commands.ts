import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { encryptionKeyGenerateCommand } from './encryption-key-generate-command.js';
import { encryptionKeyListCommand } from './encryption-key-list-command.js';
import { encryptionKeyResealCommand } from './encryption-key-reseal-command.js';

export function encryptionKeyCommands(host: Host): Command {
  return commandGroup(
    'encryption-key',
    'the keys in ENCRYPTION_KEYS, TRANSFER_ENCRYPTION_KEYS and SIGNER_ENCRYPTION_KEYS, with which secrets in the database are encrypted',
    [
      encryptionKeyGenerateCommand(host),
      encryptionKeyListCommand(host),
      encryptionKeyResealCommand(host),
    ],
    'encryption-key list',
  );
}
