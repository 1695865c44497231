import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../values/problem.js';
import { checkDescription, checkDomainName, checkEmail } from './domain.js';
import { checkTtl } from './member.js';

function validators(problems: Problem[]): string[] {
  return problems.map(({ validator }) => validator);
}

describe('checkTtl', () => {
  it.each([undefined, 0, 3_600, 2_147_483_647])('D-ZONE: accepts %j', (ttl) => {
    expect(checkTtl(ttl)).toEqual([]);
  });

  it.each([
    [null, 'type', 'null'],
    ['3600', 'type', 'a string'],
    [[], 'type', 'an array'],
    [{}, 'type', 'an object'],
    [1.5, 'type', '1.5'],
    [-1, 'minimum', '-1'],
    [2_147_483_648, 'maximum', '2147483648'],
  ])('D-ZONE: refuses %j (%s)', (ttl, validator, shown) => {
    const message = `ttl is ${shown}; write an integer from 0 to 2147483647.`;
    expect(checkTtl(ttl)).toEqual([{ path: 'ttl', validator, message }]);
  });
});

describe('checkDescription', () => {
  it.each([undefined, null, '', 'x'.repeat(160), '😀'.repeat(160)])(
    'D-ZONE: accepts %j',
    (description) => {
      expect(checkDescription(description)).toEqual([]);
    },
  );

  it.each([
    [1, ['type']],
    ['x'.repeat(161), ['maxLength']],
    ['a\0b', ['format']],
    ['\ud800', ['format']],
    [`${'x'.repeat(161)}\0`, ['maxLength', 'format']],
  ])('D-ZONE: refuses %j', (description, expected) => {
    expect(validators(checkDescription(description))).toEqual(expected);
  });
});

describe('required texts', () => {
  it.each([
    [undefined, 'required'],
    [null, 'type'],
    [7, 'type'],
    [['example.com.'], 'type'],
  ])('DNS API s7: a name or email of %j fails the check %j', (value, validator) => {
    expect(validators(checkDomainName(value))).toEqual([validator]);
    expect(validators(checkEmail(value))).toEqual([validator]);
  });
});

describe('checkDomainName', () => {
  it('D-ZONE: reports all problems at once', () => {
    expect(validators(checkDomainName('-a!'))).toEqual(['absolute', 'label', 'label', 'minLabels']);
  });

  it('D-ZONE: answers a huge name with a few short problems', () => {
    const problems = checkDomainName('.'.repeat(100_000));
    expect(problems.length).toBeLessThan(4);
    expect(JSON.stringify(problems).length).toBeLessThan(1_000);
  });
});

describe('checkEmail', () => {
  it('D-ZONE: refuses a value that does not fit into an SOA', () => {
    const domain = Array.from({ length: 4 }, () => 'a'.repeat(60)).join('.');
    expect(checkEmail(`${'a'.repeat(10)}@${domain}`)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('too long') }),
    ]);
  });
});
