import { describe, expect, it } from '@jest/globals';
import { isAllowed } from './access-rule.js';
import { readAccessRules } from './read-access-rules.js';

const RULE = { zone: 'example.com.', actions: ['read'] };

describe('readAccessRules', () => {
  it('returns the normal form', () => {
    expect(
      readAccessRules([
        {
          zone: 'BÜCHER.example.',
          name: 'WWW',
          types: ['txt', 'TYPE16', 'a'],
          actions: ['update'],
        },
        { zone: '*', actions: ['update', 'read'] },
      ]),
    ).toEqual({
      faults: [],
      rules: [
        { zone: 'xn--bcher-kva.example.', name: 'www', types: ['TXT', 'A'], actions: ['update'] },
        { zone: '*', name: '**', types: ['*'], actions: ['read', 'update'] },
      ],
    });
  });

  it.each([
    ['rules', undefined],
    ['rules', {}],
    ['rules', []],
    ['rules', Array<unknown>(101).fill(RULE)],
    ['rules[0]', ['x']],
    ['rules[0].zone', [{ actions: ['read'] }]],
    ['rules[0].zone', [{ ...RULE, zone: 'example.com' }]],
    ['rules[0].zone', [{ ...RULE, zone: 'not a name.' }]],
    ['rules[0].name', [{ ...RULE, name: 'www.example.com.' }]],
    ['rules[0].name', [{ ...RULE, name: 7 }]],
    ['rules[0].types', [{ ...RULE, types: [] }]],
    ['rules[0].types', [{ ...RULE, types: 'TXT' }]],
    ['rules[0].types[1]', [{ ...RULE, types: ['A', 'NONE'] }]],
    ['rules[0].types[0]', [{ ...RULE, types: ['*', 'A'] }]],
    ['rules[0].actions', [{ zone: 'example.com.' }]],
    ['rules[0].actions', [{ ...RULE, actions: [] }]],
    ['rules[0].actions', [{ ...RULE, actions: ['read', 'delete'] }]],
    ['rules[0].tpyes', [{ ...RULE, tpyes: ['TXT'] }]],
    ['rules[1].__proto__', [RULE, JSON.parse('{"__proto__":1,"zone":"*","actions":["read"]}')]],
  ])('names %s in the error', (path, rules) => {
    expect(readAccessRules(rules).faults.map((fault) => fault.path)).toContain(path);
  });
});

describe('isAllowed', () => {
  const { rules } = readAccessRules([
    { zone: 'example.com.', name: '_acme-challenge.**', types: ['TXT'], actions: ['update'] },
    { zone: 'example.com.', name: 'www', actions: ['read'] },
  ]);
  const place = { zone: 'example.com.', name: '_acme-challenge.example.com.', type: 'TXT' };

  it.each([
    ['what a rule says', place, true],
    ['another type', { ...place, type: 'A' }, false],
    ['another name', { ...place, name: 'mail.example.com.' }, false],
    ['another zone', { ...place, zone: 'example.org.' }, false],
    ['another action', { ...place, name: 'www.example.com.' }, false],
  ])('%s', (_what, wanted, expected) => {
    expect(isAllowed(rules, ['update'], wanted)).toBe(expected);
  });
});
