import { listSigningKeys } from '@zonewright/accounts';
import {
  countSealed,
  countSecrets,
  type KeySetting,
  type NamedKeyring,
  surveySecrets,
} from '@zonewright/database';
import type { Check, Examination } from './finding.js';
import { namedKeyrings } from '../settings/settings.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'keys';
const YEAR_MS = 365 * 24 * 3600 * 1000;
const SHOWN = 3;

/** Checks that secrets can be decrypted and tokens signed. */
export const checkKeys: Check = async (examination) => [
  ...(await checkSigningKeys(examination)),
  ...(await checkSealedSecrets(examination)),
];

async function checkSigningKeys({ db, clock }: Examination): Promise<Finding[]> {
  const keys = await listSigningKeys(db);
  const primary = keys.find(({ isPrimary }) => isPrimary);
  if (primary === undefined) {
    return [
      error(
        AREA,
        'There is no signing key for tokens: users cannot log in.',
        'Run zonewright-admin bootstrap, or signing-key rotate.',
      ),
    ];
  }
  if (clock.now() - primary.createdAt.getTime() > YEAR_MS) {
    return [
      warning(
        AREA,
        `The signing key ${primary.id} is more than a year old.`,
        'Run zonewright-admin signing-key rotate; this does not interrupt the service.',
      ),
    ];
  }
  const others = keys.filter((key) => !key.isPrimary && key.retiredAt === null).length;
  return [
    ok(AREA, `Tokens are signed with ${primary.id}; ${others} older keys still verify tokens.`),
  ];
}

/** Programs that use the keys of a setting. */
const PROGRAMS: Readonly<Record<KeySetting, string>> = {
  ENCRYPTION_KEYS: 'identity-service',
  TRANSFER_ENCRYPTION_KEYS: 'dns-api and the nameservers',
  SIGNER_ENCRYPTION_KEYS: 'signer',
};

async function checkSealedSecrets({ db, settings }: Examination): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const named of namedKeyrings(settings)) findings.push(await checkKeyring(db, named));
  if (settings.transferEncryptionKeys !== undefined) return findings;
  // The check of the configuration reports that ENCRYPTION_KEYS is not set.
  const count = await countSealed(db, 'TRANSFER_ENCRYPTION_KEYS');
  if (count === 0) return findings;
  return [
    ...findings,
    warning(
      AREA,
      `TRANSFER_ENCRYPTION_KEYS is not set, so doctor cannot check whether ${count} secrets of peers, TSIG keys and primaries can be decrypted.`,
      'Set TRANSFER_ENCRYPTION_KEYS to the value of dns-api.',
    ),
  ];
}

async function checkKeyring(db: Examination['db'], named: NamedKeyring): Promise<Finding> {
  const { setting } = named;
  const { keys, unreadable } = await surveySecrets(db, named);
  const uses = keys.map((use) => `${use.id} (${use.state}): ${countSecrets(use)}`).join(', ');
  if (unreadable.length > 0) {
    const missing = keys.filter(({ state }) => state === 'missing').map(({ id }) => id);
    const some = unreadable.slice(0, SHOWN).join(', ') + (unreadable.length > SHOWN ? ', ...' : '');
    return error(
      AREA,
      `${unreadable.length} secrets cannot be decrypted with ${setting}: ${some}.`,
      missing.length > 0
        ? `Add the key ${missing.join(', ')} to ${setting}, here and at ${PROGRAMS[setting]}.`
        : `A key of ${setting} has the right ID, but a different value: set the key that encrypted the secrets.`,
    );
  }
  if (keys.some((use) => use.state === 'opens' && countSecrets(use) > 0)) {
    return warning(
      AREA,
      `All secrets of ${setting} can be decrypted, some with an old key: ${uses}.`,
      'Run zonewright-admin encryption-key reseal to end the rotation.',
    );
  }
  return ok(AREA, `All secrets of ${setting} can be decrypted: ${uses}.`);
}
