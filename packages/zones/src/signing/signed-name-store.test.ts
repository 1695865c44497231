import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import { rrsigHead } from '@zonewright/dns-records/dnssec';
import { signedChangeValues, type SignedName, signedValues } from './signed-name-store.js';

const DAY_SECONDS = 86_400;

/** A name with signatures that end at these times, in seconds. */
function signedName(key: string, ...ends: readonly number[]): SignedName {
  const rrset = { type: RR_TYPE.A, ttl: 300, rdatas: [] };
  const signerName = nameToWire('example.');
  const records = ends.map((expiration) => {
    const terms = { algorithm: 13, keyTag: 1, signerName, inception: 0, expiration };
    return { type: RR_TYPE.RRSIG, ttl: 300, rdata: rrsigHead(signerName, rrset, terms) };
  });
  const address = { type: RR_TYPE.A, ttl: 300, rdata: Uint8Array.of(192, 0, 2, 1) };
  return { key, records: [address, ...records] };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}\0`);

describe('signedValues', () => {
  it('lists the written and removed names in the step, which nameservers read', () => {
    const rows = [signedName('www\0', 100 * DAY_SECONDS), signedName('', 100 * DAY_SECONDS)];
    const { stepNames } = signedValues({ rows, removals: ['old\0', 'older\0'] })!;
    expect(stepNames).toBe(String.raw`{"\\x77777700","\\x","\\x6f6c6400","\\x6f6c64657200"}`);
  });

  it('lists only removed names if none is written', () => {
    const { stepNames, octets } = signedValues({ rows: [], removals: ['old\0'] })!;
    expect(stepNames).toBe(String.raw`{"\\x6f6c6400"}`);
    expect(octets).toBe(0);
  });

  it('renews a name 14 days before its first signature expires', () => {
    const rows = [signedName('', 100 * DAY_SECONDS, 90 * DAY_SECONDS, 95 * DAY_SECONDS)];
    const { resignAt } = signedValues({ rows, removals: [] })!;
    expect(resignAt).toEqual([new Date(76 * DAY_SECONDS * 1_000)]);
  });

  it('counts the written octets', () => {
    const rows = [signedName('a\0', DAY_SECONDS), signedName('b\0', DAY_SECONDS)];
    const { signedRecords, octets } = signedValues({ rows, removals: [] })!;
    expect(octets).toBe(signedRecords[0]!.length + signedRecords[1]!.length);
  });

  it('writes up to 1,000 rows in one statement, including removals', () => {
    const row = signedName('www\0', DAY_SECONDS);
    expect(signedValues({ rows: [row], removals: many(999) })).toBeDefined();
    expect(signedValues({ rows: [row], removals: many(1_000) })).toBeUndefined();
  });
});

describe('signedChangeValues', () => {
  it('names the zone of each row of some zones', () => {
    const one = signedValues({ rows: [signedName('a\0', DAY_SECONDS)], removals: ['b\0', 'c\0'] })!;
    const other = signedValues({ rows: [signedName('', DAY_SECONDS)], removals: [] })!;
    const values = signedChangeValues([
      { zoneId: 'one', signed: one },
      { zoneId: 'other', signed: other },
    ]);
    expect(values).toEqual({
      removedFrom: ['one', 'one'],
      removals: one.removals,
      writtenTo: ['one', 'other'],
      signedKeys: [...one.signedKeys, ...other.signedKeys],
      signedRecords: [...one.signedRecords, ...other.signedRecords],
      resignAt: [...one.resignAt, ...other.resignAt],
    });
  });
});
