import { nameToWire, rdataToWire, RR_TYPE, typeNumber } from '@zonewright/dns-records';
import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { buildQuery } from '../conformance/support/query.js';
import { signZone } from '../conformance/support/sign-zone.js';
import { BlockNodes } from '../src/compile/block-nodes.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { patchZoneInParts, type ZonePatch } from '../src/compile/patch-zone.js';
import { runToEnd } from '../src/image/steps.js';
import type { ZoneContent, ZoneRecord } from '../src/compile/zone-tree.js';
import { orderedNames, orderedNode, signedUntil } from '../src/image/zone-order.js';
import { InProcessServer } from './support/in-process-server.js';

/**
 * The numbers of sequences (larger on demand) and of changes in each sequence. After each change the zone is also
 * compiled from scratch.
 */
const ZONES = Number(process.env['PATCHED_ZONES'] ?? 60);
const CHANGES_OF_EACH = 6;
const APEX = 'p.test.';

const label = fc.constantFrom('a', 'b', '0', 'zz', '*', 'a-b', '\\000', '\\001');
const owner = fc
  .array(label, { minLength: 1, maxLength: 3, size: 'max' })
  .map((labels) => [...labels, APEX].join('.'));
const record = fc.constantFrom(
  ['A', '192.0.2.1'],
  ['A', '192.0.2.2'],
  ['NS', `ns.${APEX}`],
  ['NS', `ns.a.${APEX}`],
  ['TXT', '"x"'],
) as fc.Arbitrary<readonly [string, string]>;
const change = fc.tuple(owner, fc.array(record, { maxLength: 2 }));
const steps = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), {
  minLength: CHANGES_OF_EACH,
  maxLength: CHANGES_OF_EACH,
});

type Model = ReadonlyMap<string, readonly (readonly [string, string])[]>;

function signModel(model: Model, serial: number): ZoneContent {
  const apex = nameToWire(APEX);
  const soa = ['SOA', `ns.${APEX} admin.${APEX} ${serial} 1 2 3 300`] as const;
  const all = [[APEX, [soa, ['NS', `ns.${APEX}`] as const]] as const, ...model];
  const records = all.flatMap(([name, rdatas]) =>
    rdatas.map(([type, data]): ZoneRecord => {
      const rdata = rdataToWire(type, data, null);
      return { owner: nameToWire(name), type: typeNumber(type) ?? 0, ttl: 600, rdata };
    }),
  );
  return signZone({ apex, serial, records }, { algorithm: 15 });
}

function byOwner({ records }: ZoneContent): Map<string, ZoneRecord[]> {
  const names = new Map<string, ZoneRecord[]>();
  for (const each of records) {
    const key = Buffer.from(each.owner).toString('latin1').toLowerCase();
    names.set(key, [...(names.get(key) ?? []), each]);
  }
  return names;
}

/** Returns the combined result of a signer's step and the journal: the names whose data differs. */
function patchBetween(before: ZoneContent, after: ZoneContent): ZonePatch {
  const [old, now] = [byOwner(before), byOwner(after)];
  const text = (records: readonly ZoneRecord[] = []) =>
    records
      .map(({ type, rdata }) => `${type} ${Buffer.from(rdata).toString('hex')}`)
      .sort()
      .join();
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => text(old.get(key)) !== text(now.get(key)),
  );
  return {
    ...{ apex: after.apex, serial: after.serial },
    owners: changed.map((key) => Buffer.from(key, 'latin1')),
    records: changed.flatMap((key) => now.get(key) ?? []),
  };
}

function orderOf(block: Uint8Array): string[] {
  const nodes = new BlockNodes(block);
  return Array.from({ length: orderedNames(nodes, 0) }, (_, place) =>
    nodes.nameOf(orderedNode(nodes, 0, place)),
  );
}

function assertSameAnswers(patched: Uint8Array, compiled: Uint8Array, model: Model): void {
  const servers = [patched, compiled].map((block) => {
    const server = new InProcessServer([], {}, 1 << 17);
    server.image.put(block);
    return server;
  });
  for (const name of model.keys()) {
    for (const asked of [name, `b.${name}`, `zzz.${name}`]) {
      for (const type of ['A', 'DS']) {
        const query = buildQuery({ question: `${asked} ${type}`, edns: { isDnssecOk: true } });
        const [one, other] = servers.map((server) => server.answer('TCP', query));
        assert.deepEqual(one, other);
      }
    }
  }
}

describe('a signed zone that is patched', () => {
  it(
    `equals the zone compiled anew, in the same order, after each of ${ZONES * CHANGES_OF_EACH} random changes`,
    () => {
      const property = fc.property(steps, (all) => {
        const model = new Map<string, readonly (readonly [string, string])[]>();
        let content = signModel(model, 1);
        let block = compileZone(content);
        for (const [number, changes] of all.entries()) {
          for (const [name, rdatas] of changes) model.set(name, rdatas);
          const next = signModel(model, number + 2);
          block = runToEnd(patchZoneInParts(block, patchBetween(content, next))).octets;
          content = next;
          const compiled = compileZone(content);
          assert.deepEqual(orderOf(block), orderOf(compiled));
          const [one, other] = [block, compiled].map((each) => new BlockNodes(each));
          assert.equal(signedUntil(one!, 0), signedUntil(other!, 0));
          assertSameAnswers(block, compiled, model);
        }
      });
      expect(() => {
        fc.assert(property, { numRuns: ZONES });
      }).not.toThrow();
    },
    ZONES * 1_000,
  );

  it.each<[string, (patch: ZonePatch) => ZonePatch, string]>([
    [
      'the name before an added one is not among the changed names',
      ({ owners, records, ...rest }) => ({
        ...rest,
        owners: [...owners].filter((name) => !isNamed(name, 'a')),
        records: [...records].filter((each) => !isNamed(each.owner, 'a')),
      }),
      'does not point to the next name',
    ],
    [
      'a signature is missing',
      ({ records, ...rest }) => ({
        ...rest,
        records: [...records].filter(
          (each) => !isNamed(each.owner, 'b') || each.type !== RR_TYPE.RRSIG,
        ),
      }),
      'no RRSIG',
    ],
  ])('is refused if %s', (_what, spoil, words) => {
    const records = [['A', '192.0.2.1']] as const;
    const before = signModel(new Map([[`a.${APEX}`, records]]), 1);
    const both = new Map([`a.${APEX}`, `b.${APEX}`].map((name) => [name, records]));
    const patch = spoil(patchBetween(before, signModel(both, 2)));
    expect(() => runToEnd(patchZoneInParts(compileZone(before), patch))).toThrow(words);
  });
});

function isNamed(name: Uint8Array, label_: string): boolean {
  return Buffer.from(name).equals(nameToWire(`${label_}.${APEX}`));
}
