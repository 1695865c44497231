import { describe, expect, it } from '@jest/globals';
import type { TokenClaims } from './token-claims.js';
import { VerifiedTokens } from './verified-tokens.js';

const CLAIMS: TokenClaims = {
  jti: 'jti',
  userId: 'user',
  tenantId: undefined,
  method: 'password',
  issuedAt: new Date(0),
  expiresAt: new Date(1),
};
const TOKEN = 'header.payload.signature';

describe('VerifiedTokens', () => {
  it('design 2: knows a token again by all of it', () => {
    const verified = new VerifiedTokens();
    expect(verified.find(TOKEN)).toBeUndefined();
    expect(verified.remember(TOKEN, CLAIMS)).toBe(CLAIMS);
    expect(verified.find(TOKEN)).toBe(CLAIMS);
    for (const other of [
      'header.payload.signaturE',
      'header.payload.signatur',
      'header.payload.signatures',
      'header.payload.',
      'header.payload',
      'header.payloae.signature',
      '',
    ]) {
      expect(verified.find(other)).toBeUndefined();
    }
  });

  it('design 2: remembers no token that was not made here', () => {
    const verified = new VerifiedTokens();
    expect(verified.remember(TOKEN, undefined)).toBeUndefined();
    expect(verified.find(TOKEN)).toBeUndefined();
  });

  it('design 2: is bounded, and forgets the oldest first', () => {
    const verified = new VerifiedTokens();
    for (let number = 0; number <= 10_000; number += 1) {
      verified.remember(`header.${number}.signature`, CLAIMS);
    }
    expect(verified.find('header.0.signature')).toBeUndefined();
    expect(verified.find('header.1.signature')).toBe(CLAIMS);
  });
});
