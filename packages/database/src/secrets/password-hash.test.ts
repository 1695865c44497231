import { describe, expect, it } from '@jest/globals';
import { hashPassword, verifyPassword } from './passwords.js';

describe('password hashes', () => {
  it('are Argon2id with 19 MiB, two passes and one lane, salted', async () => {
    const [one, other] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);

    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]+\$[\w+/]+$/);
    expect(one).not.toBe(other);
  });

  it.each(['secret', '', 'pässwörd 🔑', 'p'.repeat(1000), 'with\0zero'])(
    'verify only the password from which they were made',
    async (password) => {
      const phc = await hashPassword(password);

      expect(await verifyPassword(phc, password)).toBe(true);
      expect(await verifyPassword(phc, `${password} `)).toBe(false);
    },
  );

  it('verify hashes with other parameters, which the text contains', async () => {
    // The RFC 9106 parameters of another installation: m=64 KiB, t=3, p=1, password "password".
    const phc = await import('@node-rs/argon2').then(({ hash }) =>
      hash('password', { memoryCost: 64, timeCost: 3, parallelism: 1 }),
    );

    expect(phc).toContain('m=64,t=3,p=1');
    expect(await verifyPassword(phc, 'password')).toBe(true);
  });

  it('reject a text that is not a hash', async () => {
    await expect(verifyPassword('secret', 'secret')).rejects.toThrow();
  });
});
