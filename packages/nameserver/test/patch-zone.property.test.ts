import { nameToWire, rdataToWire, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { buildQuery } from '../conformance/support/query.js';
import { BlockNodes } from '../src/compile/block-nodes.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { ZONE_WORD } from '../src/image/layout.js';
import type { NextBlock } from '../src/image/zone-block.js';
import { patchZoneInParts, type ZonePatch } from '../src/compile/patch-zone.js';
import { runToEnd } from '../src/image/steps.js';
import type { ZoneRecord } from '../src/compile/zone-tree.js';
import { InProcessServer } from './support/in-process-server.js';

/**
 * The numbers of sequences (larger on demand) and of changes in each sequence. After each change the zone is also
 * compiled from scratch.
 */
const ZONES = Number(process.env['PATCHED_ZONES'] ?? 300);
const CHANGES_OF_EACH = 8;
const QTYPES = ['A', 'NS', 'CNAME', 'DNAME', 'MX', 'DS', 'ANY'];
const APEX = 'p.test.';
/** The limit of RFC 1035, section 2.3.4, is 255 octets in wire form. */
const MAX_NAME_TEXT = 254;

/** A small set of labels, so that names lie above, below and beside each other. */
const label = fc.constantFrom('a', 'b', '0', 'zz', '*', '*', 'long'.repeat(15));
const owner = fc
  .array(label, { maxLength: 4, size: 'max' })
  .map((labels) => [...labels, APEX].join('.'));

/** The records of a name after a change; empty if it has no records any longer. */
interface Change {
  readonly owner: string;
  readonly records: readonly (readonly [type: string, ttl: number, data: string])[];
}

const ttl = fc.constantFrom(0, 60, 300);
const record = fc.oneof(
  fc.tuple(fc.constant('A'), ttl, fc.constantFrom('192.0.2.1', '192.0.2.2')),
  fc.tuple(fc.constant('NS'), ttl, owner),
  fc.tuple(fc.constant('MX'), ttl, owner),
  fc.tuple(fc.constant('DNAME'), ttl, owner),
  fc.tuple(fc.constant('TXT'), ttl, fc.constantFrom('x', 'y'.repeat(200))),
);
const contents = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.tuple(fc.constant('CNAME'), ttl, owner)),
  },
  { weight: 4, arbitrary: fc.array(record, { minLength: 1, maxLength: 4 }) },
);
const change: fc.Arbitrary<Change> = fc.record({ owner, records: contents });
const step = fc.array(change, { minLength: 1, maxLength: 5 });
const steps = fc.array(step, { minLength: CHANGES_OF_EACH, maxLength: CHANGES_OF_EACH });
/** The free space behind the nodes, in octets. */
const roomBehind = fc.constantFrom(0, 100, 1_000, 10_000);
const start = fc.array(change, { minLength: 0, maxLength: 30, size: 'max' });

/** All records by the owner's text. */
type Model = Map<string, Change['records']>;

function recordsAt(model: Model, name: string, serial: number): ZoneRecord[] {
  const wire = nameToWire(name);
  const soa = `ns.${APEX} admin.${APEX} ${serial} 1 2 3 ${200 + (serial % 3)}`;
  const own = name === APEX ? [['SOA', 600, soa] as const, ['NS', 600, `a.${APEX}`] as const] : [];
  return [...own, ...(model.get(name) ?? [])].map(([type, recordTtl, data]) => ({
    owner: wire,
    type: typeNumber(type) ?? 0,
    ttl: recordTtl,
    rdata: rdataToWire(type === 'DNAME' ? 'CNAME' : type, data, type === 'MX' ? 10 : null),
  }));
}

function compileModel(model: Model, serial: number): Uint8Array {
  const names = new Set([APEX, ...model.keys()]);
  const records = [...names].flatMap((name) => recordsAt(model, name, serial));
  return compileZone({ apex: nameToWire(APEX), serial, records });
}

function patchOf(model: Model, names: ReadonlySet<string>, serial: number): ZonePatch {
  return {
    apex: nameToWire(APEX),
    serial,
    owners: [...names].map((name) => nameToWire(name)),
    records: [...names].flatMap((name) => recordsAt(model, name, serial)),
  };
}

function patchModel(block: Uint8Array, model: Model, names: ReadonlySet<string>, serial: number) {
  return runToEnd(patchZoneInParts(block, patchOf(model, names, serial))).octets;
}

/** Patches two blocks alternately: a patch overwrites the previous block if its layout is the same. */
class BlocksInTurns {
  present: Uint8Array;
  inTurn = 0;
  readonly #room: number;
  #nodesEnd: number | undefined;
  #before: NextBlock['before'];

  constructor(block: Uint8Array, room: number) {
    this.present = block;
    this.#room = room;
  }

  patch(patch: ZonePatch): void {
    const patched = runToEnd(
      patchZoneInParts(this.present, patch, {
        take: (octets) => new Uint8Array(octets),
        roomBehind: () => this.#room,
        nodesEnd: this.#nodesEnd,
        before: this.#before,
      }),
    );
    if (this.#before !== undefined && patched.octets.buffer === this.#before.block.buffer) {
      this.inTurn++;
    }
    const { written } = patched;
    this.#before = written && { block: this.present, written };
    this.#nodesEnd = patched.nodesEnd;
    this.present = patched.octets;
  }
}

/** Returns every node with its flags and its octets, by name. */
function nodesOf(block: Uint8Array): Map<string, string> {
  const nodes = new BlockNodes(block);
  const found = new Map<string, string>();
  const visit = (node: number) => {
    const name = nodes.nameOf(node);
    assert(!found.has(name), 'A name is there twice.');
    assert.equal(nodes.nodeAt(nodes.find(name)), node);
    const { octets } = nodes.measure(node);
    found.set(name, nodes.octets.subarray(node, node + octets).toString('hex'));
  };
  runToEnd(nodes.visitAll(visit));
  return new Map([...found].sort());
}

const COMPARED_WORDS = [
  ZONE_WORD.APEX_HASH,
  ZONE_WORD.SERIAL,
  ZONE_WORD.NEGATIVE_TTL,
  ZONE_WORD.RECORDS,
];

function assertSameZone(patched: Uint8Array, compiled: Uint8Array): void {
  assert.deepEqual(nodesOf(patched), nodesOf(compiled));
  const [a, b] = [new BlockNodes(patched), new BlockNodes(compiled)];
  for (const word of COMPARED_WORDS) assert.equal(a.word(word), b.word(word));
  assert.equal(patched.length, a.word(ZONE_WORD.OCTETS));
}

/** Compares answers octet by octet, for each name and for names beside and below it. */
function assertSameAnswers(
  patched: Uint8Array,
  compiled: Uint8Array,
  names: Iterable<string>,
): void {
  const [one, other] = [new InProcessServer([], {}, 1 << 16), new InProcessServer([], {}, 1 << 16)];
  one.image.put(patched);
  other.image.put(compiled);
  for (const name of names) {
    for (const asked of [name, `b.${name}`, `x.y.${name}`]) {
      if (asked.length > MAX_NAME_TEXT) continue;
      for (const type of QTYPES) {
        const query = buildQuery({ question: `${asked} ${type}` });
        assert.deepEqual(one.answer('TCP', query), other.answer('TCP', query));
      }
    }
  }
}

describe('a zone that is patched', () => {
  it(
    `equals the zone compiled anew, after each of ${ZONES * CHANGES_OF_EACH} random changes`,
    () => {
      let taken = 0;
      const property = fc.property(start, steps, roomBehind, (atFirst, later, room) => {
        const model: Model = new Map(atFirst.map(({ owner: name, records }) => [name, records]));
        const copied = new BlocksInTurns(compileModel(model, 1), 0);
        const inTurns = new BlocksInTurns(compileModel(model, 1), room);
        for (const [number, changes] of later.entries()) {
          const serial = number + 2;
          for (const { owner: name, records } of changes) model.set(name, records);
          const patch = patchOf(model, new Set([APEX, ...changes.map((c) => c.owner)]), serial);
          for (const blocks of [copied, inTurns]) {
            blocks.patch(patch);
            assertSameZone(blocks.present, compileModel(model, serial));
          }
        }
        taken += inTurns.inTurn;
        const last = compileModel(model, later.length + 1);
        assertSameAnswers(inTurns.present, last, [...model.keys()].slice(-12));
      });
      expect(() => {
        fc.assert(property, { numRuns: ZONES });
      }).not.toThrow();
      expect(taken).toBeGreaterThan(ZONES / 10);
    },
    ZONES * 400,
  );

  it('has at most an eighth of its memory in unused blocks, and free places in its index', () => {
    const model: Model = new Map();
    for (let i = 0; i < 500; i++) model.set(`h${i}.${APEX}`, [['A', 60, '192.0.2.1']]);
    let block = compileModel(model, 1);
    const { length } = block;
    for (let serial = 2; serial < 3_000; serial++) {
      // One name is removed and another added, so that entries of the index move.
      const [gone, come] = [`h${serial - 2}.${APEX}`, `h${serial + 498}.${APEX}`];
      model.delete(gone);
      model.set(come, [['A', 60, '192.0.2.1']]);
      block = patchModel(block, model, new Set([APEX, gone, come]), serial);
      const nodes = new BlockNodes(block);
      const slots = nodes.word(ZONE_WORD.INDEX_MASK) + 1;
      assert(nodes.word(ZONE_WORD.INDEX_IN_USE) <= slots * 0.75);
    }
    assertSameZone(block, compileModel(model, 2_999));
    expect(block.length).toBeLessThan(length * 1.5);
  });

  it.each([
    ['an owner outside of the zone', 'www.elsewhere.test.', 'is not in the zone'],
    ['a record at a name that is not listed as changed', `b.${APEX}`, 'has not changed'],
  ])('is refused for %s', (_what, name, words) => {
    const block = compileModel(new Map(), 1);
    const at = (wire: string) => recordsAt(new Map(), wire, 2);
    const records: ZoneRecord[] = [
      ...at(APEX),
      { owner: nameToWire(name), type: RR_TYPE.A, ttl: 1, rdata: Uint8Array.of(1, 2, 3, 4) },
    ];
    const apex = nameToWire(APEX);
    expect(() =>
      runToEnd(patchZoneInParts(block, { apex, serial: 2, owners: [apex], records })),
    ).toThrow(words);
  });
});
