import { describe, expect, it } from '@jest/globals';
import { readRestrictedKey } from './key-restriction.js';

const RULE = { zone: 'example.com.', name: 'www', types: ['A'], actions: ['read'] };
const RESTRICTIONS = { tenantId: 't', rules: [RULE], networks: [], massDelete: false };
const CREDENTIAL = { id: 'KEY', name: 'web1', restricted: true };

describe('readRestrictedKey', () => {
  it('returns the key, and undefined for a token without restrictions', () => {
    const body = { application_credential: CREDENTIAL, 'EXT-IDM:restrictions': RESTRICTIONS };
    expect(readRestrictedKey(body)).toEqual({
      id: 'KEY',
      rules: [RULE],
      networks: [],
      massDelete: false,
    });
    expect(readRestrictedKey({})).toBeUndefined();
  });

  it.each([
    ['no restrictions', { application_credential: CREDENTIAL }],
    ['no key', { 'EXT-IDM:restrictions': RESTRICTIONS }],
    ['a member of a newer version', { ...RESTRICTIONS, hours: '9-17' }],
    ['an action of a newer version', { ...RESTRICTIONS, rules: [{ ...RULE, actions: ['sign'] }] }],
    ['no rule', { ...RESTRICTIONS, rules: [] }],
    ['networks that are not strings', { ...RESTRICTIONS, networks: [7] }],
  ])('rejects a token that has %s', (_what, given) => {
    const isWhole = 'application_credential' in given || 'EXT-IDM:restrictions' in given;
    const body = isWhole
      ? given
      : { application_credential: CREDENTIAL, 'EXT-IDM:restrictions': given };
    expect(() => readRestrictedKey(body)).toThrow('cannot be read');
  });
});
