import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { purgeAccessKeys } from '@zonewright/accounts';

export function accessKeyPurgeCommand(host: Host): Command {
  return operatorCommand(
    'purge',
    'mark as purged what was deleted more than ACCESS_KEY_PURGE_DAYS days ago',
    'access-key purge',
  ).action(
    withSession(host, async ({ db, settings, output }) => {
      const purged = await purgeAccessKeys(db, settings.accessKeyPurgeDays);
      const count = purged.length === 1 ? '1 access key is' : `${purged.length} access keys are`;
      output.done(`${count} now purged.`, { purged });
    }),
  );
}
