import { describe, expect, it } from '@jest/globals';
import type { TokenClaims } from '../claims/token-claims.js';
import { lineageOf } from '../claims/token-lineage.js';
import { VerifiedTokens } from './verified-tokens.js';

const CLAIMS: TokenClaims = {
  jti: 'jti',
  userId: 'user',
  tenantId: undefined,
  method: 'password',
  issuedAt: new Date(0),
  expiresAt: new Date(1),
  lineage: lineageOf('jti'),
};
const SIGNATURE = 's'.repeat(43);
const TOKEN = `header.payload.${SIGNATURE}`;

describe('VerifiedTokens', () => {
  it('design 2: knows a token again by all of it', () => {
    const verified = new VerifiedTokens();
    expect(verified.find(TOKEN)).toBeUndefined();
    expect(verified.remember(TOKEN, CLAIMS)).toBe(CLAIMS);
    expect(verified.find(TOKEN)).toBe(CLAIMS);
    for (const other of [
      `header.payload.${SIGNATURE.slice(1)}S`,
      `header.payload.${SIGNATURE.slice(1)}`,
      `header.payload.${SIGNATURE}s`,
      'header.payload.',
      'header.payload',
      `header.payloae.${SIGNATURE}`,
      `aeader.payload.${SIGNATURE}`,
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
    const tokenOf = (number: number) =>
      `header.payload.${String(number).padStart(5, '0').padEnd(43, 's')}`;
    for (let number = 0; number <= 10_000; number += 1) verified.remember(tokenOf(number), CLAIMS);
    expect(verified.find(tokenOf(0))).toBeUndefined();
    expect(verified.find(tokenOf(1))).toBe(CLAIMS);
  });

  it('design 2: takes no token for another whose signature begins alike', () => {
    const verified = new VerifiedTokens();
    const other = `header.payload.${SIGNATURE.slice(1)}o`;
    verified.remember(TOKEN, CLAIMS);
    expect(verified.find(other)).toBeUndefined();
    verified.remember(other, { ...CLAIMS, jti: 'other' });
    expect(verified.find(other)?.jti).toBe('other');
    expect(verified.find(TOKEN)).toBeUndefined();
  });
});
