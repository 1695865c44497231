import { describe, expect, it } from '@jest/globals';
import { change, off, record } from './test-values.js';
import { indexByName } from './future-names.js';
import { checkMailTarget, namesThatAnswer, newMailTargets } from './mail-target.js';

const toMissing = record('example.com. MX 10 none.example.com.');
const toHost = record('example.com. MX 10 mail.example.com.');
const names = await indexByName([
  record('mail.example.com. A 192.0.2.1'),
  record('*.wild.example.com. AAAA 2001:db8::1'),
  record('alias.example.com. CNAME mail.example.com.'),
  record('old.example.com. DNAME example.net.'),
  record('old.example.com. A 192.0.2.1'),
]);
const mailHosts = new Map(
  ['none', 'mail', 'a.wild', 'alias', 'old', 'a.old'].map((label) => [
    `${label}.example.com.`,
    names,
  ]),
);
const hosted = { mxTargetCheck: 'hosted', mailHosts, warnsOfMailTargets: false } as const;

describe('checkMailTarget', () => {
  it.each([
    ['a target with an address', change(undefined, toHost)],
    [
      'a target that a wildcard covers (RFC 4592)',
      change(undefined, record('example.com. MX 10 a.wild.example.com.')),
    ],
    [
      'the owner of a DNAME record with an address',
      change(undefined, record('example.com. MX 10 old.example.com.')),
    ],
    [
      'a target outside of this service',
      change(undefined, record('example.com. MX 10 mail.example.net.')),
    ],
    ['a missing target of a disabled record', change(undefined, off(toMissing))],
    ['an edit of a record with the same target', change(toMissing, { ...toMissing, ttl: 60 })],
  ])('accepts %s', (_, given) => {
    expect(checkMailTarget(hosted, given)).toEqual([]);
  });

  it.each([
    ['a target without an address', change(undefined, toMissing)],
    ['a record that is enabled', change(off(toMissing), toMissing)],
    ['another target', change(toHost, { ...toMissing, id: toHost.id })],
    [
      'RFC 2181 s10.3: an alias',
      change(undefined, record('example.com. MX 10 alias.example.com.')),
    ],
    [
      'RFC 6672 s2.3: a name below a DNAME record',
      change(undefined, record('example.com. MX 10 a.old.example.com.')),
    ],
  ])('rejects %s', (_, given) => {
    expect(checkMailTarget(hosted, given)).toMatchObject([
      { problem: { path: 'data', validator: 'mailTarget' } },
    ]);
  });

  it('only warns of a missing address in an import', () => {
    const facts = { ...hosted, warnsOfMailTargets: true };
    const kinds = ['none', 'alias', 'a.old'].map((label) => {
      const mail = change(undefined, record(`example.com. MX 10 ${label}.example.com.`));
      return checkMailTarget(facts, mail).map(({ kind }) => kind);
    });
    expect(kinds).toEqual([['warning'], ['invalid'], ['invalid']]);
  });

  it('rejects targets outside of this service if the rule is strict, and accepts them if it is off', () => {
    const outside = change(undefined, record('example.com. MX 10 mail.example.net.'));
    expect(checkMailTarget({ ...hosted, mxTargetCheck: 'strict' }, outside)).toHaveLength(1);
    const missing = change(undefined, toMissing);
    expect(checkMailTarget({ ...hosted, mxTargetCheck: 'off' }, missing)).toEqual([]);
  });
});

describe('newMailTargets', () => {
  it('names each target once, of records that begin to be served', () => {
    const changes = [
      change(off(toMissing), toMissing),
      change(undefined, { ...toMissing, id: toHost.id }),
      change(toHost, { ...toHost, ttl: 60 }),
    ];
    expect(newMailTargets(changes, 'hosted')).toEqual(['none.example.com.']);
    expect(newMailTargets(changes, 'off')).toEqual([]);
  });

  it('lets wildcards above the target match, nearest first', () => {
    expect(namesThatAnswer('a.b.')).toEqual(['a.b.', '*.b.']);
  });
});
