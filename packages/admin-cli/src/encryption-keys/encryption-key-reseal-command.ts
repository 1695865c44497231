import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { remarkNotGiven } from './remark-not-given.js';
import { remarkUnreadable } from './remark-unreadable.js';
import {
  type KeySetting,
  type NamedKeyring,
  resealSecrets,
  type ResealResult,
} from '@zonewright/database';
import { CommandEnd, EXIT, Progress } from '@zonewright/terminal';

/** Who seals with the keys of a setting, or opens with them. */
const PROGRAMS: Readonly<Record<KeySetting, string>> = {
  ENCRYPTION_KEYS: 'every identity-service',
  TRANSFER_ENCRYPTION_KEYS: 'every dns-api and nameserver',
  SIGNER_ENCRYPTION_KEYS: 'every signer',
};

interface Resealed extends NamedKeyring {
  readonly result: ResealResult;
}

export function encryptionKeyResealCommand(host: Host): Command {
  return operatorCommand(
    'reseal',
    'encrypt every secret with the first key of its setting that another key has encrypted, while services run',
    'encryption-key reseal',
  ).action(
    withSession(host, async ({ db, keyrings, output }) => {
      const progress = new Progress(output);
      const all: Resealed[] = [];
      for (const named of keyrings()) {
        const result = await resealSecrets(db, named, {
          onProgress: (resealed, expected) => {
            progress.report(() => `${resealed} of ${expected} secrets resealed`);
          },
        });
        all.push({ ...named, result });
      }
      output.done(all.map(describe).join('\n'), toJson(all));
      for (const { setting, result } of all) remarkUnreadable(output, setting, result);
      await remarkNotGiven(db, output, all);
      const isLeft = all.some(
        ({ result: { remaining, unreadable } }) => remaining > 0 || unreadable.length > 0,
      );
      if (isLeft) throw new CommandEnd(EXIT.failed);
    }),
  );
}

function toJson(all: readonly Resealed[]) {
  const results = all.map(({ result }) => result);
  return {
    keys: results.flatMap(({ keys }) => keys),
    unreadable: results.flatMap(({ unreadable }) => unreadable),
    resealed: results.reduce((sum, { resealed }) => sum + resealed, 0),
    remaining: results.reduce((sum, { remaining }) => sum + remaining, 0),
    sealsWith: Object.fromEntries(
      all.map(({ setting, keyring }) => [setting, keyring.primaryKeyId]),
    ),
  };
}

function describe({ setting, keyring, result }: Resealed): string {
  const { keys, resealed, remaining } = result;
  const primary = keyring.primaryKeyId;
  const programs = PROGRAMS[setting];
  const done = `${resealed} secrets are newly sealed with the key ${primary} of ${setting}.`;
  if (remaining > 0) {
    return (
      `${done} ${remaining} are still sealed with others, which are needed as before. If something seals with an old ` +
      `key, put ${primary} first in ${setting} of ${programs}; then run this again.`
    );
  }
  const others = keys.filter(({ id }) => id !== primary).map(({ id }) => id);
  return others.length === 0
    ? `${done} Every secret opens.`
    : `${done} Every secret opens with it. No longer needed: ${others.join(', ')}. Once ${primary} stands first in ` +
        `${setting} of ${programs}, take the others out there.`;
}
