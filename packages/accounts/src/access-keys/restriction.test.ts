import { describe, expect, it } from '@jest/globals';
import type { Account } from '../users/account.js';
import { completeRestriction, isRestriction, readRestriction } from './restriction.js';

const RULE = { zone: 'example.com.', actions: ['read'] };
const read = (members: object) => readRestriction(new Map(Object.entries(members)));

describe('readRestriction', () => {
  it('is undefined if the body does not mention restrictions', () => {
    expect(read({ name: 'web' })).toEqual({ wish: undefined, faults: [] });
  });

  it('expands the preset acme to the challenges of all names in a zone', () => {
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

  it('without rules, allows everything that the user may do in one tenant', () => {
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
  ])('names %s in the error', (path, members) => {
    expect(read(members).faults.map((fault) => fault.path)).toContain(path);
  });

  it('accepts at most 16 KiB', () => {
    const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}`;
    const rules = Array<object>(100).fill({ ...RULE, name });
    expect(read({ restrictions: { rules } }).faults).toMatchObject([{ path: 'restrictions' }]);
    const huge = { restrictions: { rules: [{ ...RULE, name: 'x'.repeat(100_000) }] } };
    expect(read(huge).faults).toMatchObject([{ path: 'restrictions' }]);
  });
});

describe('presets', () => {
  it.each([
    ['unknown', { preset: 'other', zone: 'example.com.' }, 'preset', 'must be one of acme'],
    [
      'inherited by every object',
      { preset: 'constructor', zone: 'a.' },
      'preset',
      'must be one of acme',
    ],
    ['missing', { zone: 'example.com.' }, 'preset', 'must be one of acme'],
  ])('refuses a preset that is %s', (_, members, path, what) => {
    expect(read(members).faults).toEqual([{ path, what }]);
  });

  it('reports errors only in the zone of a preset', () => {
    expect(read({ preset: 'acme', zone: 'not a zone' }).faults).toMatchObject([{ path: 'zone' }]);
    expect(read({ preset: 'acme' }).faults).toMatchObject([{ path: 'zone' }]);
  });
});

describe('completeRestriction', () => {
  const owner = (...tenantIds: readonly (string | undefined)[]): Account => ({
    id: 'ada',
    name: 'ada',
    status: 'enabled',
    domain: { id: 'default', name: 'Default', status: 'enabled', statusCode: null },
    tokensValidAfter: undefined,
    credentialGeneration: 0,
    assignments: tenantIds.map((tenantId) => ({
      role: { id: 'member', name: 'member', serviceId: undefined },
      tenantId,
    })),
  });
  const requested = (tenantId: string | undefined) => ({
    tenantId,
    rules: undefined,
    networks: [],
    massDelete: false,
  });

  it.each([
    ['the requested tenant', 'b', owner('a', 'b'), 'a', 'b'],
    ["that of the request's token", undefined, owner('a', 'b'), 'a', 'a'],
    ['the only one of the owner', undefined, owner('a', 'a', undefined), undefined, 'a'],
  ])('allows %s', (_, tenantId, user, current, expected) => {
    expect(completeRestriction(requested(tenantId), user, current)).toEqual({
      tenantId: expected,
      networks: [],
      massDelete: false,
    });
  });

  it.each([
    ['several tenants and no choice', undefined, owner('a', 'b'), 'tenantId is required'],
    ['no tenant', undefined, owner(undefined), 'tenantId is required'],
    ['a tenant without a role', 'c', owner('a', undefined), 'but ada has no role on this tenant'],
  ])('refuses %s', (_, tenantId, user, message) => {
    expect(() => completeRestriction(requested(tenantId), user, undefined)).toThrow(message);
  });
});

describe('isRestriction', () => {
  it.each([
    [{ tenantId: 'a', networks: [], massDelete: false }, true],
    [{ networks: [], massDelete: false }, false],
    [{ tenantId: 'a', networks: ['192.0.2.1/24'] }, false],
    [{ tenantId: 'a', more: 1 }, false],
    ['acme', false],
    [null, false],
  ])('%j: %s', (value, expected) => {
    expect(isRestriction(value)).toBe(expected);
  });
});
