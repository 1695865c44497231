import { describe, expect, it } from '@jest/globals';
import { change, EXAMPLE, off, record } from './test-values.js';
import { checkChildZone, possibleChildZones } from './delegation.js';
import type { ChildZone } from './future-names.js';

const childZones = new Map<string, ChildZone>([
  ['sub.example.com.', 'hosted'],
  ['away.example.com.', 'secondary'],
]);
const parent = { zone: EXAMPLE, childZones };
const inChild = record('www.sub.example.com. A 192.0.2.1');
const beside = record('www.example.com. A 192.0.2.1');
const ds = `60485 13 2 ${'AB'.repeat(32)}`;

describe('checkChildZone', () => {
  it.each([
    ['a record beside the child', change(undefined, beside)],
    ['an edit of a record that is older than the child', change(inChild, { ...inChild, ttl: 60 })],
    ['a record in the child that is disabled', change(undefined, off(inChild))],
    ['a deletion', change(inChild, undefined)],
    [
      'RFC 4035 s2.4: DS at the cut of a child that its primaries sign',
      change(undefined, record(`away.example.com. DS ${ds}`)),
    ],
  ])('accepts %s', (_, given) => {
    expect(checkChildZone(parent, given)).toEqual([]);
  });

  it.each([
    ['a new record in the child', change(undefined, inChild)],
    ['a new record at the cut', change(undefined, { ...inChild, name: 'sub.example.com.' })],
    ['a record that is enabled in the child', change(off(inChild), inChild)],
    ['a record that is renamed into the child', change({ ...inChild, name: beside.name }, inChild)],
    [
      'a record that is renamed into the child and enabled',
      change(off({ ...inChild, name: beside.name }), inChild),
    ],
    [
      'DS at the cut of a child that is not secondary',
      change(undefined, record(`sub.example.com. DS ${ds}`)),
    ],
    [
      'DS below the cut of a secondary child',
      change(undefined, record(`a.away.example.com. DS ${ds}`)),
    ],
  ])('rejects %s', (_, given) => {
    expect(checkChildZone(parent, given)).toMatchObject([
      { kind: 'invalid', problem: { path: 'name', validator: 'childDomain' } },
    ]);
  });

  it("reads the names from the record's to the zone's, for records that begin to be served", () => {
    expect(possibleChildZones(EXAMPLE, [change(off(inChild), inChild)])).toEqual([
      'www.sub.example.com.',
      'sub.example.com.',
    ]);
    expect(possibleChildZones(EXAMPLE, [change(inChild, { ...inChild, ttl: 60 })])).toEqual([]);
  });

  it('reads the name of each DS record that stays, because this service may now host the child', () => {
    const stays = record(`away.example.com. DS ${ds}`);
    const edited = change(stays, { ...stays, ttl: 60 });
    expect(possibleChildZones(EXAMPLE, [edited])).toEqual(['away.example.com.']);
    expect(possibleChildZones(EXAMPLE, [change(stays, undefined)])).toEqual([]);
  });
});
