import { describe, expect, it } from '@jest/globals';
import type { RecordChange } from './record-change.js';
import { change, off, record } from './test-values.js';
import { findExceededQuota, limitsOf, needsDataOctets, needsRecordsets } from './quota.js';

const rules = { maxDomainRecords: 10, maxRecordsetRecords: 100, maxDomainOctets: 10_000 };
const none = { maxRecords: null, maxRecordsets: null, maxRrsetRecords: null };
const limits = limitsOf(none, rules);
const address = record('a.example.com. A 192.0.2.1');
const long = record(`a.example.com. TXT "${'x'.repeat(255)}" "y"`);

function exceeded(
  recordCount: number,
  changes: readonly RecordChange[],
  { disabledCount = 0, dataOctets }: { disabledCount?: number; dataOctets?: number } = {},
) {
  const options = { limits, dataOctets, recordsets: undefined, future: new Map() };
  return findExceededQuota({ recordCount, disabledCount }, changes, options);
}

describe('quotas of a zone', () => {
  it('prefers the limits of the project to those of the service', () => {
    expect(limits).toEqual({
      ...{ records: 10, disabled: 5, recordsets: 10, rrsetRecords: 100, dataOctets: 20_240 },
    });
    const own = limitsOf({ maxRecords: 4, maxRecordsets: 3, maxRrsetRecords: 2 }, rules);
    expect(own).toMatchObject({ records: 4, disabled: 2, recordsets: 3, rrsetRecords: 2 });
  });

  it('counts recordsets if one begins and there may be too many', () => {
    const few = limitsOf({ ...none, maxRecordsets: 3 }, rules);
    const needs = (recordCount: number, given: RecordChange) =>
      needsRecordsets({ recordCount, disabledCount: 0 }, [given], few);
    const begun = change(undefined, address);
    expect([needs(2, begun), needs(3, begun)]).toEqual([false, true]);
    expect(needs(3, change(address, { ...address, ttl: 60 }))).toBe(false);
    expect(needs(9, change(undefined, off(address)))).toBe(false);
    expect(needsRecordsets({ recordCount: 99, disabledCount: 0 }, [begun], limits)).toBe(false);
  });

  it.each([
    [3, 4, /4 recordsets; its limit is 3/],
    [4, 4, undefined],
    [2, 3, undefined],
  ])('%d recordsets that become %d', (before, after, message) => {
    const few = limitsOf({ ...none, maxRecordsets: 3 }, rules);
    const options = { limits: few, dataOctets: undefined, future: new Map() };
    const found = findExceededQuota({ recordCount: 5, disabledCount: 0 }, [], {
      ...{ ...options, recordsets: { before, after } },
    });
    if (message === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(message);
  });

  it.each<[string, number, readonly RecordChange[], number, RegExp | undefined]>([
    ['the last record', 9, [change(undefined, address)], 0, undefined],
    ['one too many', 10, [change(undefined, address)], 0, /11 records/],
    [
      'one too many with the disabled ones',
      6,
      [change(undefined, address)],
      4,
      /11 records, including/,
    ],
    ['more than half are disabled', 0, [change(undefined, off(address))], 5, /6 disabled records/],
    ['enabling, whatever the number', 5, [change(off(address), address)], 5, undefined],
    ['an exchange in a full zone', 10, [change(address, { ...address, ttl: 1 })], 5, undefined],
  ])('limits records: %s', (_, count, changes, disabledCount, message) => {
    const found = exceeded(count, changes, { disabledCount });
    if (message === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(message);
  });

  it('counts the data of new records, even disabled ones, and none of records that are enabled', () => {
    const coming = [change(undefined, off(long))];
    expect(needsDataOctets(coming)).toBe(true);
    expect(exceeded(0, coming, { dataOctets: 20_000 })).toMatch(/data/);
    const switchedOn = [change(off(long), long)];
    expect(needsDataOctets(switchedOn)).toBe(false);
  });
});
