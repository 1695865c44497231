import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { generateKeyringText, parseKeyring } from './keyring.js';

const FORM = 'must be id:key pairs separated by commas, each id once, each key 32 bytes in base64';
const SECRET = Buffer.from('a secret access key');
const ROW = 'identity.access_keys.secret:A1';
const OLD = generateKeyringText('2025');
const NEW = generateKeyringText('2026');

describe('Keyring (D-ACC: secret keys are encrypted at rest)', () => {
  it('opens the secret that it sealed', () => {
    const keyring = parseKeyring(OLD);

    expect(keyring.open(keyring.seal(SECRET, ROW), ROW)).toEqual(SECRET);
    expect(keyring.open(keyring.seal(Buffer.alloc(0), ROW), ROW)).toEqual(Buffer.alloc(0));
  });

  it('NIST SP 800-38D s8: seals the same secret differently each time, nonce, ciphertext and tag', () => {
    const keyring = parseKeyring(OLD);
    const [one, other] = [keyring.seal(SECRET, ROW), keyring.seal(SECRET, ROW)];

    expect(one.sealed).toHaveLength(12 + SECRET.length + 16);
    expect(one.sealed.equals(other.sealed)).toBe(false);
    expect(one.sealed.includes(SECRET)).toBe(false);
  });

  it('does not open a changed secret, at whichever octet', () => {
    const keyring = parseKeyring(OLD);
    const { keyId, sealed } = keyring.seal(SECRET, ROW);
    for (let index = 0; index < sealed.length; index++) {
      const altered = Buffer.from(sealed);
      altered[index]! ^= 1;
      expect(() => keyring.open({ keyId, sealed: altered }, ROW)).toThrow();
    }
  });

  it('does not open a truncated secret, at whichever length', () => {
    const keyring = parseKeyring(OLD);
    const { keyId, sealed } = keyring.seal(SECRET, ROW);
    for (let length = 0; length < sealed.length; length++) {
      expect(() => keyring.open({ keyId, sealed: sealed.subarray(0, length) }, ROW)).toThrow();
    }
  });

  it.each([
    ['of the same table', 'identity.access_keys.secret:A2'],
    ['of another table', 'identity.signing_keys.secret:A1'],
    ['of no name', ''],
  ])('D-ACC: does not open a secret that was moved to a row %s', (_, identity) => {
    const keyring = parseKeyring(OLD);

    expect(() => keyring.open(keyring.seal(SECRET, ROW), identity)).toThrow();
  });

  it('names the key that is missing', () => {
    const sealed = parseKeyring(OLD).seal(SECRET, ROW);

    expect(sealed.keyId).toBe('2025');
    expect(() => parseKeyring(NEW).open(sealed, ROW)).toThrow(
      'encryption key "2025" is not in the keyring',
    );
  });

  it('does not open with another key of the same id', () => {
    const sealed = parseKeyring(OLD).seal(SECRET, ROW);

    expect(() => parseKeyring(generateKeyringText('2025')).open(sealed, ROW)).toThrow();
  });

  it('rotation: a new first key seals, and the old one still opens', () => {
    const before = parseKeyring(OLD);
    const during = parseKeyring(`${NEW},${OLD}`);
    const after = parseKeyring(NEW);
    const old = before.seal(SECRET, ROW);
    expect(during.primaryKeyId).toBe('2026');
    expect(during.open(old, ROW)).toEqual(SECRET);

    const resealed = during.seal(during.open(old, ROW), ROW);
    expect(resealed.keyId).toBe('2026');
    expect(after.open(resealed, ROW)).toEqual(SECRET);
    expect(() => after.open(old, ROW)).toThrow('"2025"');
  });
});

describe('parseKeyring', () => {
  const key = randomBytes(32).toString('base64');

  it.each([
    ['one key', `k:${key}`, 'k'],
    ['several keys, the first of which seals', `b:${key},a:${key}`, 'b'],
    ['blanks around pairs', ` b:${key} , a:${key} `, 'b'],
    ['base64 without padding', `k:${key.replace('=', '')}`, 'k'],
    ['an id of letters, digits, dots and hyphens', `Key_2026.11-a:${key}`, 'Key_2026.11-a'],
  ])('accepts %s', (_, text, primary) => {
    expect(parseKeyring(text).primaryKeyId).toBe(primary);
  });

  it.each([
    ['nothing', ''],
    ['a key without an id', key],
    ['an empty id', `:${key}`],
    ['an id with a blank', `a b:${key}`],
    ['an id of more than 32 characters', `${'k'.repeat(33)}:${key}`],
    ['a short key', `k:${randomBytes(31).toString('base64')}`],
    ['a long key', `k:${randomBytes(33).toString('base64')}`],
    ['a key in hexadecimal', `k:${randomBytes(32).toString('hex')}`],
    ['a value that is not base64', `k:${'!'.repeat(43)}`],
    ['a repeated id', `k:${key},k:${key}`],
    ['an empty pair', `k:${key},`],
  ])('refuses %s, and the error does not contain it', (_, text) => {
    expect(() => parseKeyring(text)).toThrow(new Error(FORM));
  });
});
