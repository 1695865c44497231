import { describe, expect, it } from '@jest/globals';
import { readRestriction } from './restriction.js';

const RULE = { zone: 'example.com.', actions: ['read'] };
const read = (members: object) => readRestriction(new Map(Object.entries(members)));

describe('readRestriction', () => {
  it('without a word about it there is none', () => {
    expect(read({ name: 'web' })).toEqual({ wish: undefined, faults: [] });
  });

  it('the preset acme: the challenges of all names of a zone', () => {
    expect(read({ preset: 'acme', zone: 'Example.com.' })).toEqual({
      faults: [],
      wish: {
        tenantId: undefined,
        networks: [],
        massDelete: false,
        rules: [
          {
            zone: 'example.com.',
            name: '_acme-challenge.**',
            types: ['TXT'],
            actions: ['read', 'update'],
          },
        ],
      },
    });
  });

  it('restrictions without rules: all that the user may do in one tenant', () => {
    expect(read({ restrictions: { tenantId: 't', networks: ['192.0.2.0/24'] } })).toEqual({
      faults: [],
      wish: { tenantId: 't', networks: ['192.0.2.0/24'], massDelete: false, rules: undefined },
    });
  });

  it.each([
    ['restrictions', { restrictions: 'x' }],
    ['restrictions.rules', { restrictions: { rules: [] } }],
    ['restrictions.rules[0].actions', { restrictions: { rules: [{ zone: '*' }] } }],
    ['restrictions.rule', { restrictions: { rule: [RULE] } }],
    ['restrictions.networks', { restrictions: { networks: Array<string>(33).fill('::/0') } }],
    ['restrictions.networks[0]', { restrictions: { networks: ['192.0.2.1/24'] } }],
    ['restrictions.networks[0]', { restrictions: { networks: [7] } }],
    ['restrictions.massDelete', { restrictions: { massDelete: 'yes' } }],
    ['restrictions.tenantId', { restrictions: { tenantId: 'a b' } }],
    ['preset', { preset: 'acme', zone: 'example.com.', restrictions: { rules: [RULE] } }],
    ['preset', { preset: 'other', zone: 'example.com.' }],
    ['preset', { zone: 'example.com.' }],
    ['preset', { preset: 'toString', zone: 'example.com.' }],
    ['zone', { preset: 'acme' }],
    ['zone', { preset: 'acme', zone: 'example.com' }],
  ])('names %s in what is wrong with it', (path, members) => {
    expect(read(members).faults.map((fault) => fault.path)).toContain(path);
  });

  it('16 KiB are the most', () => {
    const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}`;
    const rules = Array<object>(100).fill({ ...RULE, name });
    expect(read({ restrictions: { rules } }).faults).toMatchObject([{ path: 'restrictions' }]);
    const huge = { restrictions: { rules: [{ ...RULE, name: 'x'.repeat(100_000) }] } };
    expect(read(huge).faults).toMatchObject([{ path: 'restrictions' }]);
  });
});
