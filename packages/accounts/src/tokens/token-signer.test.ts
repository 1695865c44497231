import { describe, expect, it } from '@jest/globals';
import { packId, unpackId } from './token-signer.js';

describe('packId', () => {
  it.each([
    '0123456789abcdef0123456789abcdef',
    '14541255461800',
    '0123456789abcdef'.repeat(4),
    '0123456789abcdef'.repeat(4).slice(1),
    '1234567890'.repeat(5),
    'x',
    '.dotted',
    '=equal',
    '0123456789ABCDEF0123456789ABCDEF',
    'ü'.repeat(64),
  ])('%s is restored unchanged', (id) => {
    expect(unpackId(packId(id))).toBe(id);
  });

  it('an id of 64 hex digits takes 44 characters', () => {
    expect(packId('0123456789abcdef'.repeat(4))).toHaveLength(44);
  });

  it('an id of 32 hex digits takes 23 characters', () => {
    expect(packId('0123456789abcdef0123456789abcdef')).toHaveLength(23);
  });
});
