import { describe, expect, it } from '@jest/globals';
import { generateKeyringText } from '@zonewright/database';
import { readSettings } from '@zonewright/service-kit';
import { SIGNER_SETTINGS } from './settings.js';

const NEEDED = {
  DATABASE_URL: 'postgres://signer@127.0.0.1/zonewright',
  SIGNER_ENCRYPTION_KEYS: generateKeyringText('k1'),
  SIGNER_SECRET: 's'.repeat(32),
};

describe('SIGNER_SETTINGS', () => {
  it('requires a database, keys and a secret', () => {
    expect(readSettings(SIGNER_SETTINGS, NEEDED).secret).toBe(NEEDED.SIGNER_SECRET);
    for (const name of Object.keys(NEEDED))
      expect(() => readSettings(SIGNER_SETTINGS, { ...NEEDED, [name]: undefined })).toThrow(name);
  });

  it('refuses a secret that can be guessed', () => {
    const short = { ...NEEDED, SIGNER_SECRET: 's'.repeat(31) };
    expect(() => readSettings(SIGNER_SETTINGS, short)).toThrow('at least 32 characters');
  });

  it('shows no secret in its names of settings', () => {
    expect([SIGNER_SETTINGS.encryptionKeys, SIGNER_SETTINGS.secret]).toMatchObject([
      { secret: true },
      { secret: true },
    ]);
  });
});
