import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ENCRYPTION_KEY_COLUMNS } from './encryption-key-columns.js';
import { remarkUnreadable } from './remark-unreadable.js';
import { surveySecrets } from '@zonewright/database';
import { remarkNotGiven } from './remark-not-given.js';
import { CommandEnd, EXIT } from '@zonewright/terminal';

export function encryptionKeyListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'open every secret in the database and list the keys that sealed them',
    'encryption-key list',
  ).action(
    withSession(host, async ({ db, keyrings, output }) => {
      const named = keyrings();
      const surveys = [];
      for (const each of named) {
        surveys.push({ setting: each.setting, survey: await surveySecrets(db, each) });
      }
      output.list(
        surveys.flatMap(({ survey }) => survey.keys),
        ENCRYPTION_KEY_COLUMNS,
      );
      for (const { setting, survey } of surveys) remarkUnreadable(output, setting, survey);
      await remarkNotGiven(db, output, named);
      if (surveys.some(({ survey }) => survey.unreadable.length > 0)) {
        throw new CommandEnd(EXIT.failed);
      }
    }),
  );
}
