import { listSigningKeys, surveySecrets } from '@zonewright/accounts';
import type { Check, Examination } from './examination.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'keys';
const YEAR_MS = 365 * 24 * 3600 * 1000;
const SHOWN = 3;

/** Whether secrets open, and whether tokens can be signed. */
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
        'There is no key that signs tokens: nobody can log in.',
        'Run zonewright-admin bootstrap, or signing-key rotate.',
      ),
    ];
  }
  if (clock.now() - primary.createdAt.getTime() > YEAR_MS) {
    return [
      warning(
        AREA,
        `The signing key ${primary.id} is more than a year old.`,
        'Run zonewright-admin signing-key rotate; nothing is interrupted.',
      ),
    ];
  }
  const others = keys.filter((key) => !key.isPrimary && key.retiredAt === null).length;
  return [ok(AREA, `Tokens are signed with ${primary.id}; ${others} older keys still verify.`)];
}

async function checkSealedSecrets({ db, settings }: Examination): Promise<Finding[]> {
  const keyring = settings.encryptionKeys;
  // The check of the configuration has told so.
  if (keyring === undefined) return [];
  const { keys, unreadable } = await surveySecrets(db, keyring);
  const uses = keys
    .map(
      ({ id, state, accessKeys, signingKeys }) => `${id} (${state}): ${accessKeys + signingKeys}`,
    )
    .join(', ');
  if (unreadable.length > 0) {
    const missing = keys.filter(({ state }) => state === 'missing').map(({ id }) => id);
    const some = unreadable.slice(0, SHOWN).join(', ') + (unreadable.length > SHOWN ? ', ...' : '');
    return [
      error(
        AREA,
        `${unreadable.length} secrets do not open with ENCRYPTION_KEYS: ${some}.`,
        missing.length > 0
          ? `Add the key ${missing.join(', ')} to ENCRYPTION_KEYS, here and at identity-service.`
          : 'A key of ENCRYPTION_KEYS has the right name and is another one: put the one there that sealed them.',
      ),
    ];
  }
  if (
    keys.some(
      ({ state, accessKeys, signingKeys }) => state === 'opens' && accessKeys + signingKeys > 0,
    )
  ) {
    return [
      warning(
        AREA,
        `All secrets open, some with an old key: ${uses}.`,
        'Run zonewright-admin encryption-key reseal to end the rotation.',
      ),
    ];
  }
  return [ok(AREA, `All secrets in the database open: ${uses}.`)];
}
