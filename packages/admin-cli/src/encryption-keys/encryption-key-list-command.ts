import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ENCRYPTION_KEY_COLUMNS } from './encryption-key-columns.js';
import { remarkUnreadable } from './remark-unreadable.js';
import { surveySecrets } from '@zonewright/accounts';
import { CommandEnd, EXIT } from '@zonewright/terminal';

export function encryptionKeyListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'open every secret in the database and list the keys that sealed them',
    'encryption-key list',
  ).action(
    withSession(host, async ({ db, keyring, output }) => {
      const survey = await surveySecrets(db, keyring());
      output.list(survey.keys, ENCRYPTION_KEY_COLUMNS);
      remarkUnreadable(output, survey);
      if (survey.unreadable.length > 0) throw new CommandEnd(EXIT.failed);
    }),
  );
}
