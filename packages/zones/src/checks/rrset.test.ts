import { describe, expect, it } from '@jest/globals';
import type { ZoneRecord } from '../rows/record.js';
import type { RecordChange } from './record-change.js';
import { change, off, record } from './test-values.js';
import { toFutureNames } from './future-names.js';
import { checkRrsetSize, findCrowdedRrset } from './rrset.js';

/** Returns a TXT record of about this number of octets. */
const text = (octets: number, name = 'a') =>
  record(
    `${name}.example.com. TXT ${`"${'x'.repeat(255)}" `.repeat(Math.floor(octets / 256))}"${lastId++}"`,
  );
let lastId = 0;
const half = text(40_000);
const other = text(40_000);

async function check(given: RecordChange, stored: readonly ZoneRecord[], signingState?: string) {
  const zone = { signingState: signingState ?? null };
  return checkRrsetSize({ zone, future: await toFutureNames([given], stored) }, given);
}

describe('checkRrsetSize', () => {
  it.each<[string, RecordChange, readonly ZoneRecord[]]>([
    ['one large record', change(undefined, text(64_000)), []],
    ['large records of two names', change(undefined, text(40_000, 'b')), [half]],
    ['a large disabled record', change(undefined, off(other)), [half]],
    [
      'a shorter record in a set that is too large',
      change(half, { ...text(30_000), id: half.id }),
      [half, other],
    ],
    ['another TTL in a set that is too large', change(half, { ...half, ttl: 60 }), [half, other]],
  ])('accepts %s', async (_, given, stored) => {
    await expect(check(given, stored)).resolves.toEqual([]);
  });

  it.each<[string, RecordChange, readonly ZoneRecord[]]>([
    ['a second large record of a name and type', change(undefined, other), [half]],
    ['a large record that is enabled', change(off(other), other), [half]],
    ['a record that grows', change(half, { ...text(50_000), id: half.id }), [half, text(20_000)]],
  ])('rejects %s', async (_, given, stored) => {
    await expect(check(given, stored)).resolves.toMatchObject([
      { problem: { path: 'data', validator: 'maxLength' } },
    ]);
  });

  it('leaves room for signatures in a signed zone', async () => {
    const given = change(undefined, text(24_000));
    await expect(check(given, [half])).resolves.toEqual([]);
    await expect(check(given, [half], 'signed')).resolves.toHaveLength(1);
  });
});

describe('findCrowdedRrset', () => {
  const addresses = [1, 2, 3].map((last) => record(`a.example.com. A 192.0.2.${last}`));
  const [first = half, second = half, third = half] = addresses;

  it('rejects an RRset that grows beyond the limit, and none that was larger before', async () => {
    const given = change(undefined, third);
    const future = await toFutureNames([given], [first, second]);
    expect(findCrowdedRrset(future, [given], 3)).toBeUndefined();
    expect(findCrowdedRrset(future, [given], 2)).toEqual({
      name: 'a.example.com.',
      type: 'A',
      records: 3,
    });
    const edit = change(first, { ...first, ttl: 60 });
    expect(findCrowdedRrset(await toFutureNames([edit], addresses), [edit], 2)).toBeUndefined();
  });
});
