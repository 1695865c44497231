import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import { rrsigHead } from '@zonewright/dns-records/dnssec';
import { signedChangeValues, type SignedName } from './signed-name-store.js';

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
const textOf = (octets: unknown) => (octets as Buffer).toString('latin1');

describe('signedChangeValues', () => {
  it('lists the written and removed names in the step, which nameservers read', () => {
    const rows = [signedName('www\0', 100 * DAY_SECONDS), signedName('', 100 * DAY_SECONDS)];
    const { values } = signedChangeValues({ rows, removals: ['old\0', 'older\0'] })!;
    const texts = (name: string) => (values[name] as Buffer[]).map(textOf);
    expect(texts('stepNames')).toEqual(['www\0', '', 'old\0', 'older\0']);
    expect(texts('removals')).toEqual(['old\0', 'older\0']);
    expect(texts('signedKeys')).toEqual(['www\0', '']);
  });

  it('lists only removed names if none is written', () => {
    const { values, octets } = signedChangeValues({ rows: [], removals: ['old\0'] })!;
    expect((values['stepNames'] as Buffer[]).map(textOf)).toEqual(['old\0']);
    expect(octets).toBe(0);
  });

  it('renews a name 14 days before its first signature expires', () => {
    const rows = [signedName('', 100 * DAY_SECONDS, 90 * DAY_SECONDS, 95 * DAY_SECONDS)];
    const { values } = signedChangeValues({ rows, removals: [] })!;
    expect(values['resignAt']).toEqual([new Date(76 * DAY_SECONDS * 1_000)]);
  });

  it('counts the written octets', () => {
    const rows = [signedName('a\0', DAY_SECONDS), signedName('b\0', DAY_SECONDS)];
    const { values, octets } = signedChangeValues({ rows, removals: [] })!;
    const written = values['signedRecords'] as Buffer[];
    expect(octets).toBe(written[0]!.length + written[1]!.length);
  });

  it('writes up to 1,000 rows in one statement, including removals', () => {
    const row = signedName('www\0', DAY_SECONDS);
    expect(signedChangeValues({ rows: [row], removals: many(999) })).toBeDefined();
    expect(signedChangeValues({ rows: [row], removals: many(1_000) })).toBeUndefined();
  });
});
