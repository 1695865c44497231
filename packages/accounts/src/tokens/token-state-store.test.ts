import { describe, expect, it } from '@jest/globals';
import { decodeTokenState, encodeTokenState } from './token-state-store.js';

const ROW = { jti: 'j', expiresAt: new Date(0), version: 5, tenantId: undefined, isRevoked: false };

describe('token states in Redis', () => {
  it('reads the values that were written', () => {
    const rescoped = encodeTokenState({ ...ROW, tenantId: 'r:u' });
    expect(decodeTokenState(rescoped)).toEqual({ kind: 'rescoped', tenantId: 'r:u' });
    const unscoped = encodeTokenState(ROW);
    expect(decodeTokenState(unscoped)).toEqual({ kind: 'rescoped', tenantId: undefined });
    const revoked = encodeTokenState({ ...ROW, isRevoked: true });
    expect(decodeTokenState(revoked)).toEqual({ kind: 'revoked' });
    expect(decodeTokenState(undefined)).toEqual({ kind: 'as-issued' });
  });

  it('sorts later states after earlier ones as text, and revoked ones last', () => {
    const [older, newer, revoked] = [
      encodeTokenState({ ...ROW, version: 1_795_222_923_123_456 }),
      encodeTokenState({ ...ROW, version: 1_795_222_923_123_457 }),
      encodeTokenState({ ...ROW, version: 1, isRevoked: true }),
    ];
    expect([revoked, newer, older].sort()).toEqual([older, newer, revoked]);
  });

  it('treats an invalid state as revoked', () => {
    expect(decodeTokenState('garbage')).toEqual({ kind: 'revoked' });
  });
});
