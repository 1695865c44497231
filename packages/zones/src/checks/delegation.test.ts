import { describe, expect, it } from '@jest/globals';
import type { ZoneRecord } from '../rows/record.js';
import type { RecordChange } from './record-change.js';
import { change, off, record } from './test-values.js';
import { checkDelegation, endedDelegations, removeOrphanedDs } from './delegation.js';
import { type ChildZone, toFutureNames } from './future-names.js';

const ds = record(`sub.example.com. DS 60485 13 2 ${'AB'.repeat(32)}`);
const ns = record('sub.example.com. NS ns.example.net.');
const otherNs = record('sub.example.com. NS ns2.example.net.');

describe('checkDelegation (RFC 4035 s2.4)', () => {
  const check = async (given: RecordChange, stored: readonly ZoneRecord[], childZones = none) =>
    checkDelegation({ future: await toFutureNames([given], stored), childZones }, given);
  const none = new Map<string, ChildZone>();

  it.each<[string, RecordChange, readonly ZoneRecord[]]>([
    ['DS beside NS', change(undefined, ds), [ns]],
    ['DS without NS that is disabled', change(undefined, off(ds)), []],
    ['a deletion', change(ds, undefined), [ds]],
    ['former primary: an edit of DS without NS', change(ds, { ...ds, ttl: 60 }), [ds]],
  ])('accepts %s', async (_, given, stored) => {
    await expect(check(given, stored)).resolves.toEqual([]);
  });

  it('accepts DS at the delegation of a secondary child zone, whose NS records the service knows', async () => {
    const child = new Map<string, ChildZone>([[ds.name, 'secondary']]);
    await expect(check(change(undefined, ds), [], child)).resolves.toEqual([]);
  });

  it.each<[string, RecordChange, readonly ZoneRecord[]]>([
    ['DS without NS', change(undefined, ds), []],
    ['DS that is enabled without NS', change(off(ds), ds), []],
    ['DS that is renamed', change({ ...ds, name: 'a.example.com.' }, ds), []],
  ])('rejects %s', async (_, given, stored) => {
    await expect(check(given, stored)).resolves.toMatchObject([
      { problem: { path: 'name', validator: 'delegation' } },
    ]);
  });
});

describe('removeOrphanedDs', () => {
  it.each<[string, readonly RecordChange[], readonly ZoneRecord[]]>([
    ['the only NS record is deleted', [change(ns, undefined)], [ns, ds]],
    ['the only NS record is disabled', [change(ns, off(ns))], [ns, ds]],
    ['the only NS record is renamed', [change(ns, { ...ns, name: 'a.example.com.' })], [ns, ds]],
    [
      'all NS records are deleted',
      [change(ns, undefined), change(otherNs, undefined)],
      [ns, ds, otherNs],
    ],
  ])('deletes the DS record if %s', (_, changes, stored) => {
    expect(endedDelegations(changes)).toEqual(['sub.example.com.']);
    expect(removeOrphanedDs(changes, stored)).toEqual([{ before: ds, after: undefined }]);
  });

  it.each<[string, readonly RecordChange[], readonly ZoneRecord[]]>([
    ['another NS record stays', [change(ns, undefined)], [ns, otherNs, ds]],
    ['another NS record comes', [change(ns, undefined), change(undefined, otherNs)], [ns, ds]],
    [
      'the request deletes the DS record itself',
      [change(ns, undefined), change(ds, undefined)],
      [ns, ds],
    ],
  ])('does nothing if %s', (_, changes, stored) => {
    expect(removeOrphanedDs(changes, stored)).toEqual([]);
  });

  it.each<[string, RecordChange]>([
    ['an edit of NS', change(ns, { ...ns, ttl: 60 })],
    ['a deletion of another type', change(ds, undefined)],
    ['NS that was disabled', change(off(ns), undefined)],
  ])('reads no records after %s', (_, given) => {
    expect(endedDelegations([given])).toEqual([]);
  });
});
