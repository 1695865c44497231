import {
  countSealed,
  type Database,
  type EncryptionKeyUse,
  generateKeyringText,
  KEY_SETTINGS,
  type KeySetting,
  type NamedKeyring,
  type ResealResult,
  resealSecrets,
  type SecretSurvey,
  surveySecrets,
} from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { type Column, CommandEnd, EXIT, Output, Progress } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function encryptionKeyCommands(host: Host): Command {
  return commandGroup(
    'encryption-key',
    'manage the keys of ENCRYPTION_KEYS, TRANSFER_ENCRYPTION_KEYS and SIGNER_ENCRYPTION_KEYS, which encrypt secrets in the database',
    [
      encryptionKeyGenerateCommand(host),
      encryptionKeyListCommand(host),
      encryptionKeyResealCommand(host),
    ],
    'encryption-key list',
  );
}

const ENCRYPTION_KEY_COLUMNS: readonly Column<EncryptionKeyUse>[] = [
  { title: 'Setting', member: 'setting' },
  { title: 'ID', member: 'id' },
  { title: 'State', member: 'state' },
  { title: 'Signing keys', member: 'signingKeys' },
  { title: 'Access keys', member: 'accessKeys' },
  { title: 'Peers', member: 'peers' },
  { title: 'TSIG keys', member: 'tsigKeys' },
  { title: 'Primaries', member: 'primaries' },
  { title: 'Transfers', member: 'transfers' },
  { title: 'Zone keys', member: 'zoneKeys' },
];

/** The form of a key id, as in parseKeyring. */
const KEY_ID = /^[\w.-]{1,32}$/;

function encryptionKeyGenerateCommand(host: Host): Command {
  return operatorCommand(
    'generate',
    'print a new key for ENCRYPTION_KEYS, without storing it',
    'encryption-key generate k2',
  )
    .argument('<id>', 'ID of the key: 1 to 32 characters (letters, digits, _ . -)')
    .action((id: string, { json }: { json?: boolean }) => {
      if (!KEY_ID.test(id)) {
        throw new ServiceError(
          'invalid',
          'an ID must have 1 to 32 characters: letters, digits, _ . and -',
        );
      }
      const key = generateKeyringText(id);
      if (json === true) new Output(host, 'json').done('', { id, key });
      else host.stdout.write(`${key}\n`);
    });
}

function encryptionKeyListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'decrypt all secrets in the database and list their keys',
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

/** Programs that use the keys of a setting. */
const PROGRAMS: Readonly<Record<KeySetting, string>> = {
  ENCRYPTION_KEYS: 'every identity-service',
  TRANSFER_ENCRYPTION_KEYS: 'every dns-api and nameserver',
  SIGNER_ENCRYPTION_KEYS: 'every signer',
};

interface Resealed extends NamedKeyring {
  readonly result: ResealResult;
}

function encryptionKeyResealCommand(host: Host): Command {
  return operatorCommand(
    'reseal',
    'encrypt all secrets again with the first key of their setting',
    'encryption-key reseal',
  ).action(
    withSession(host, async ({ db, keyrings, output }) => {
      const progress = new Progress(output);
      const all: Resealed[] = [];
      for (const named of keyrings()) {
        const result = await resealSecrets(db, named, {
          onProgress: (resealed, expected) => {
            progress.report(() => `${resealed} of ${expected} secrets encrypted again`);
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
  const done = `${resealed} secrets were encrypted again with the key ${primary} of ${setting}.`;
  if (remaining > 0) {
    return (
      `${done} ${remaining} are still encrypted with other keys, which are still needed. If a program encrypts with an ` +
      `old key, put ${primary} first in ${setting} of ${programs}; then run this command again.`
    );
  }
  const others = keys.filter(({ id }) => id !== primary).map(({ id }) => id);
  return others.length === 0
    ? `${done} Every secret can be decrypted.`
    : `${done} It decrypts every secret. No longer needed: ${others.join(', ')}. Once ${primary} is first in ` +
        `${setting} of ${programs}, remove the other keys there.`;
}

/** Reports secrets that were skipped because the setting with their keys is not set. */
async function remarkNotGiven(
  db: Database,
  output: Output,
  given: readonly NamedKeyring[],
): Promise<void> {
  for (const setting of KEY_SETTINGS) {
    if (given.some((named) => named.setting === setting)) continue;
    const count = await countSealed(db, setting);
    if (count > 0) output.remark(`${count} secrets were not changed: ${setting} is not set.`);
  }
}

const SHOWN = 10;

/** Reports secrets that the keys of a setting cannot decrypt, and the consequences. */
function remarkUnreadable(output: Output, setting: KeySetting, { unreadable }: SecretSurvey): void {
  if (unreadable.length === 0) return;
  for (const row of unreadable.slice(0, SHOWN)) output.remark(`cannot be decrypted: ${row}`);
  if (unreadable.length > SHOWN) output.remark(`and ${unreadable.length - SHOWN} more`);
  output.remark(
    `Add the key that encrypted them to ${setting}. If it is lost, these secrets are lost too and must be replaced.`,
  );
}
