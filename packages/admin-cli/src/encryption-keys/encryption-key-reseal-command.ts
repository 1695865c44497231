import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { remarkUnreadable } from './remark-unreadable.js';
import { type ResealResult, resealSecrets } from '@zonewright/accounts';
import { CommandEnd, EXIT, Progress } from '@zonewright/terminal';

export function encryptionKeyResealCommand(host: Host): Command {
  return operatorCommand(
    'reseal',
    'encrypt every secret with the first of ENCRYPTION_KEYS that another key has encrypted, while services run',
    'encryption-key reseal',
  ).action(
    withSession(host, async ({ db, keyring, output }) => {
      const keys = keyring();
      const progress = new Progress(output);
      const result = await resealSecrets(db, keys, {
        onProgress: (resealed, expected) => {
          progress.report(() => `${resealed} of ${expected} secrets resealed`);
        },
      });
      output.done(describe(result, keys.primaryKeyId), { ...result, sealsWith: keys.primaryKeyId });
      remarkUnreadable(output, result);
      if (result.remaining > 0 || result.unreadable.length > 0) throw new CommandEnd(EXIT.failed);
    }),
  );
}

function describe({ keys, resealed, remaining }: ResealResult, primary: string): string {
  const done = `${resealed} secrets are newly sealed with the key ${primary}.`;
  if (remaining > 0) {
    return (
      `${done} ${remaining} are still sealed with others, which are needed as before. If something seals with an old ` +
      `key, put ${primary} first in ENCRYPTION_KEYS of every identity-service; then run this again.`
    );
  }
  const others = keys.filter(({ id }) => id !== primary).map(({ id }) => id);
  return others.length === 0
    ? `${done} Every secret opens.`
    : `${done} Every secret opens with it. No longer needed: ${others.join(', ')}. Once ${primary} stands first in ` +
        'ENCRYPTION_KEYS of every identity-service, take the others out there.';
}
