import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { accessKeyCreateCommand } from './access-key-create-command.js';
import { accessKeyImportCommand } from './access-key-import-command.js';
import { accessKeyListCommand } from './access-key-list-command.js';
import { accessKeyPurgeCommand } from './access-key-purge-command.js';
import { accessKeyRevokeCommand } from './access-key-revoke-command.js';

export function accessKeyCommands(host: Host): Command {
  return commandGroup(
    'access-key',
    'access keys, with which programs authenticate',
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
