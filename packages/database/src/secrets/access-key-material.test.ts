import { describe, expect, it } from '@jest/globals';
import {
  ACCESS_KEY_LENGTH,
  generateAccessKeyId,
  generateSecretKey,
  isAccessKeyLength,
} from './access-key-material.js';

describe('Material of access keys (D-ACC)', () => {
  it('an id has 20 characters of A-Z0-9, and differs each time', () => {
    const ids = Array.from({ length: 50 }, generateAccessKeyId);
    for (const id of ids) expect(id).toMatch(/^[A-Z0-9]{20}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([64, 72, 240, 512])(
    'a secret of %i bits has the same number of octets, without padding',
    (bits) => {
      const secret = generateSecretKey(bits);
      expect(secret).toMatch(/^[A-Za-z0-9+/]+$/);
      expect(Buffer.from(secret, 'base64')).toHaveLength(bits / 8);
    },
  );

  it('Identity s2: the default length gives 40 characters', () => {
    expect(generateSecretKey(ACCESS_KEY_LENGTH.default)).toHaveLength(40);
  });

  it.each([0, 56, 65, 64.5, 520, -64, Number.NaN])('%d bits are refused', (bits) => {
    expect(isAccessKeyLength(bits)).toBe(false);
    expect(() => generateSecretKey(bits)).toThrow(/multiple of 8 from 64 to 512/);
  });
});
