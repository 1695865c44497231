import { describe, expect, it } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { scramVerifier } from './passwords.js';

const FORM = /^SCRAM-SHA-256\$4096:([\w+/=]+)\$([\w+/=]+):([\w+/=]+)$/;

describe('scramVerifier', () => {
  it('RFC 7677 s3: accepts the proof and returns the signature of the example exchange', () => {
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
    const [, shownSalt, storedKey = '', serverKey = ''] =
      FORM.exec(scramVerifier('pencil', salt)) ?? [];
    const authMessage =
      'n=user,r=rOprNGfwEbeRWgbNEkqO,' +
      'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,' +
      'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
    const hmac = (key: string) =>
      createHmac('sha256', Buffer.from(key, 'base64')).update(authMessage).digest();

    expect(shownSalt).toBe('W22ZaJ0SNY7soEsUEjb6gQ==');
    expect(hmac(serverKey).toString('base64')).toBe('6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=');
    // ClientProof xor ClientSignature is the client key, and the server stores its hash (RFC 5802, section 3).
    const proof = Buffer.from('dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=', 'base64');
    const clientKey = proof.map((octet, index) => octet ^ (hmac(storedKey)[index] ?? 0));
    expect(createHash('sha256').update(clientKey).digest('base64')).toBe(storedKey);
  });

  it('the same password gives different verifiers, because they are salted', () => {
    expect(scramVerifier('secret')).not.toBe(scramVerifier('secret'));
  });

  it.each([
    ['I\u00adX', 'IX', 'a soft hyphen is mapped to nothing'],
    ['\u00aa', 'a', 'compatibility characters become plain ones'],
    ['\u2168', 'IX', 'a Roman numeral becomes letters'],
    ['a\u00a0b', 'a b', 'a no-break space becomes a space'],
    ['\ufb01', 'fi', 'a ligature becomes letters'],
  ])('RFC 4013 s3: %j counts as %j (%s)', (password, prepared) => {
    const salt = Buffer.alloc(16);

    expect(scramVerifier(password, salt)).toBe(scramVerifier(prepared, salt));
  });

  it('RFC 4013 s3: letters keep their case', () => {
    const salt = Buffer.alloc(16);

    expect(scramVerifier('USER', salt)).not.toBe(scramVerifier('user', salt));
  });
});
