import { describe, expect, it } from '@jest/globals';
import type { ZoneRecord } from '../rows/record.js';
import { beginning, type RecordChange } from './record-change.js';
import { change, EXAMPLE, off, record } from './test-values.js';
import { checkAlias, checkDuplicate } from './rrset.js';
import { checkDname, findOccluded } from './dname.js';
import { toFutureNames } from './future-names.js';

const dname = record('old.example.com. DNAME example.net.');
const other = record('old.example.com. DNAME example.org.');
const apexDname = record('example.com. DNAME example.net.');
const apexNs = record('example.com. NS ns.example.net.');
const beside = record('old.example.com. A 192.0.2.1');
const below = record('a.b.old.example.com. A 192.0.2.1');
const alias = record('old.example.com. CNAME example.net.');
const ns = record('old.example.com. NS ns.example.net.');

/** Returns the refused changes with their reasons. */
async function check(
  changes: readonly RecordChange[],
  stored: readonly ZoneRecord[] = [],
  childZones: readonly string[] = [],
) {
  const future = await toFutureNames(changes, stored);
  const dnames = await findOccluded(changes, stored, childZones);
  const facts = { zone: EXAMPLE, future, dnames };
  return changes.flatMap((each, at) =>
    [checkAlias, checkDname, checkDuplicate]
      .flatMap((rule) => rule(facts, each))
      .map(({ problem: { validator } }) => `${at} ${validator}`),
  );
}

const create = (after: ZoneRecord) => change(undefined, after);
const remove = (before: ZoneRecord) => change(before, undefined);

interface Case {
  readonly changes: readonly RecordChange[];
  readonly stored?: readonly ZoneRecord[];
  readonly childZones?: readonly string[];
  readonly refused?: readonly string[];
}

describe('checkDname (RFC 6672 s2.3, s2.4)', () => {
  it.each<[what: string, Case]>([
    ['a DNAME record alone', { changes: [create(dname)] }],
    ['a DNAME record at the apex', { changes: [create(apexDname)] }],
    [
      'a DNAME record beside NS records of the apex',
      { changes: [create(apexDname)], stored: [apexNs] },
    ],
    [
      'NS records of the apex beside a DNAME record',
      { changes: [create(apexNs)], stored: [apexDname] },
    ],
    ['a DNAME record beside an address', { changes: [create(dname)], stored: [beside] }],
    ['an address beside a DNAME record', { changes: [create(beside)], stored: [dname] }],
    [
      'a name beside, with the same end',
      { changes: [create(record('told.example.com. A 192.0.2.1'))], stored: [dname] },
    ],
    [
      'a record below a DNAME record that is deleted',
      { changes: [remove(dname), create(below)], stored: [dname] },
    ],
    ['a disabled record below a DNAME record', { changes: [create(off(below))], stored: [dname] }],
    [
      'a DNAME record that is disabled above a record',
      { changes: [create(off(dname))], stored: [below] },
    ],
    ['a deletion of what is below', { changes: [remove(below), create(dname)], stored: [below] }],
    [
      'a deletion of what is below, in the other order',
      { changes: [create(dname), remove(below)], stored: [below] },
    ],
    [
      'what is below is disabled',
      { changes: [change(below, off(below)), create(dname)], stored: [below] },
    ],
    [
      'what is below is renamed',
      {
        changes: [change(below, { ...below, name: 'b.example.com.' }), create(dname)],
        stored: [below],
      },
    ],
    [
      'a record in place of the DNAME record',
      { changes: [remove(dname), create(below)], stored: [dname] },
    ],
    ['another target', { changes: [change(dname, { ...other, id: dname.id })], stored: [dname] }],
    [
      'another DNAME record in its place',
      { changes: [remove(dname), create(other)], stored: [dname] },
    ],
    ['NS records in its place', { changes: [remove(dname), create(ns)], stored: [dname] }],
    [
      'former primary: an edit below a DNAME record',
      { changes: [change(below, { ...below, ttl: 60 })], stored: [dname, below] },
    ],
    [
      'former primary: an edit of a DNAME record above others',
      { changes: [change(dname, { ...dname, ttl: 60 })], stored: [dname, below] },
    ],
    [
      'former primary: an edit of a DNAME record beside NS records',
      { changes: [change(dname, { ...dname, ttl: 60 })], stored: [ns, dname] },
    ],
    [
      'former primary: an edit of NS records beside a DNAME record',
      { changes: [change(ns, { ...ns, ttl: 60 })], stored: [dname, ns] },
    ],
    ['a child domain beside', { changes: [create(dname)], childZones: ['bold.example.com.'] }],
  ])('accepts %s', async (_, { changes, stored, childZones }) => {
    await expect(check(changes, stored, childZones)).resolves.toEqual([]);
  });

  it.each<[what: string, Case]>([
    ['a second DNAME record', { changes: [create(other)], stored: [dname], refused: ['0 dname'] }],
    [
      'the same DNAME record again',
      { changes: [create({ ...dname, id: other.id })], stored: [dname], refused: ['0 dname'] },
    ],
    [
      'two DNAME records at once',
      { changes: [create(dname), create(other)], refused: ['1 dname'] },
    ],
    [
      'a DNAME record beside an alias',
      { changes: [create(dname)], stored: [alias], refused: ['0 alone'] },
    ],
    [
      'an alias beside a DNAME record',
      { changes: [create(alias)], stored: [dname], refused: ['0 alone'] },
    ],
    [
      'a DNAME record beside NS records',
      { changes: [create(dname)], stored: [ns], refused: ['0 dname'] },
    ],
    [
      'NS records beside a DNAME record',
      { changes: [create(ns)], stored: [dname], refused: ['0 dname'] },
    ],
    ['both at once', { changes: [create(ns), create(dname)], refused: ['1 dname'] }],
    [
      'both at once, in the other order',
      { changes: [create(dname), create(ns)], refused: ['1 dname'] },
    ],
    [
      'a record below a DNAME record',
      { changes: [create(below)], stored: [dname], refused: ['0 dname'] },
    ],
    [
      'a record below that of the apex',
      { changes: [create(below)], stored: [apexDname], refused: ['0 dname'] },
    ],
    [
      'a wildcard below',
      {
        changes: [create(record('*.old.example.com. A 192.0.2.1'))],
        stored: [dname],
        refused: ['0 dname'],
      },
    ],
    [
      'a delegation below',
      {
        changes: [create(record('sub.old.example.com. NS ns.example.net.'))],
        stored: [dname],
        refused: ['0 dname'],
      },
    ],
    [
      'a DNAME record below another',
      {
        changes: [create(record('a.old.example.com. DNAME b.'))],
        stored: [dname],
        refused: ['0 dname'],
      },
    ],
    [
      'a record that is enabled below',
      { changes: [change(off(below), below)], stored: [dname], refused: ['0 dname'] },
    ],
    [
      'a record that is renamed to below',
      {
        changes: [change({ ...below, name: 'b.example.com.' }, below)],
        stored: [dname],
        refused: ['0 dname'],
      },
    ],
    [
      'a record below that becomes another type',
      {
        changes: [change(below, { ...record('a.b.old.example.com. TXT x'), id: below.id })],
        stored: [dname, below],
        refused: ['0 dname'],
      },
    ],
    [
      'a DNAME record above a record',
      { changes: [create(dname)], stored: [below], refused: ['0 dname'] },
    ],
    [
      'a DNAME record at the apex above a record',
      { changes: [create(apexDname)], stored: [beside], refused: ['0 dname'] },
    ],
    [
      'a DNAME record that is enabled above',
      { changes: [change(off(dname), dname)], stored: [below], refused: ['0 dname'] },
    ],
    [
      'a DNAME record that is renamed to above',
      {
        changes: [change({ ...dname, name: 'b.example.com.' }, dname)],
        stored: [below],
        refused: ['0 dname'],
      },
    ],
    [
      'an address that becomes a DNAME record above',
      {
        changes: [change(beside, { ...dname, id: beside.id })],
        stored: [beside, below],
        refused: ['0 dname'],
      },
    ],
    [
      'a DNAME record above a child domain',
      { changes: [create(dname)], childZones: ['sub.old.example.com.'], refused: ['0 dname'] },
    ],
    [
      'both at once: what is below comes first',
      { changes: [create(below), create(dname)], refused: ['1 dname'] },
    ],
    [
      'both at once: the DNAME record comes first',
      { changes: [create(dname), create(below)], refused: ['1 dname'] },
    ],
    [
      'a DNAME record above an edited record',
      {
        changes: [create(dname), change(below, { ...below, ttl: 60 })],
        stored: [below],
        refused: ['0 dname'],
      },
    ],
  ])('rejects %s', async (_, { changes, stored, childZones, refused }) => {
    await expect(check(changes, stored, childZones)).resolves.toEqual(refused);
  });

  it('keeps an alias beside the KEY of a former primary', async () => {
    const key = record('old.example.com. TYPE25 \\# 1 00');
    await expect(check([change(alias, { ...alias, ttl: 60 })], [key, alias])).resolves.toEqual([]);
    expect(beginning(change(alias, { ...alias, ttl: 60 }))).toBeUndefined();
  });
});
