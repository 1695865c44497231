import { describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../src/index.js';

/**
 * The number of migrations of the first release. Migrations 0001 to 0003 are its schema, so no program ran before them.
 */
const BASELINE = 3;

/** Statements that would break old code while new code is being rolled out, or that new code would have to wait for. */
const FORBIDDEN: readonly [string, RegExp][] = [
  ['drop table', /\bdrop\s+table\b/i],
  ['drop column', /\bdrop\s+column\b/i],
  ['drop schema', /\bdrop\s+schema\b/i],
  ['rename', /\brename\s+(to|column|constraint)\b/i],
  ['change of a type', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  ['set not null', /\bset\s+not\s+null\b/i],
  [
    'a column that old code does not fill',
    /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+[^,;]*\bnot\s+null\b(?![^,;]*\b(?:default|generated)\b)/i,
  ],
  ['revoke', /\brevoke\b[^;]*\bfrom\s+zonewright_/i],
];

const breachesOf = (sql: string) =>
  FORBIDDEN.filter(([, form]) => form.test(sql)).map(([name]) => name);

describe('Rolling upgrade: migrations only add', () => {
  it('each migration after 0003 keeps everything that old code uses', () => {
    const later = MIGRATIONS.slice(BASELINE);
    const breaches = later.map(({ name, sql }) => [name, breachesOf(sql)]);
    expect(breaches).toEqual(later.map(({ name }) => [name, []]));
  });

  it.each([
    ['alter table dns.domains drop column email', ['drop column']],
    ['alter table dns.domains rename column email to mail', ['rename']],
    [
      'alter table dns.domains add column x text not null',
      ['a column that old code does not fill'],
    ],
    ["alter table dns.domains add column x text not null default ''", []],
    ['alter table dns.domains add column x text', []],
    ['alter table dns.domains alter column ttl type bigint', ['change of a type']],
    ['alter table dns.domains alter column ttl set not null', ['set not null']],
    ['revoke select on dns.domains from zonewright_dns_api', ['revoke']],
    ['create table dns.more (id uuid not null primary key)', []],
  ])('detects forbidden statements: %s', (sql, expected) => {
    expect(breachesOf(sql)).toEqual(expected);
  });
});
