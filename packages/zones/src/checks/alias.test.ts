import { describe, expect, it } from '@jest/globals';
import type { ZoneRecord } from '../rows/record.js';
import type { RecordChange } from './record-change.js';
import { change, off, record } from './test-values.js';
import { checkAlias, checkDuplicate } from './rrset.js';
import { toFutureNames } from './future-names.js';

const alias = record('www.example.com. CNAME a.example.com.');
const address = record('www.example.com. A 192.0.2.1');
const same = record('www.example.com. A 192.0.2.1');

async function check(given: RecordChange, stored: readonly ZoneRecord[]) {
  const facts = { future: await toFutureNames([given], stored) };
  return [...checkAlias(facts, given), ...checkDuplicate(facts, given)].map(
    ({ kind, problem }) => `${kind} ${problem.validator}`,
  );
}

describe('checkAlias (RFC 1034 s3.6.2) and checkDuplicate', () => {
  it.each<[string, RecordChange, readonly ZoneRecord[], readonly string[]]>([
    ['an alias alone', change(undefined, alias), [], []],
    ['an alias beside an address', change(undefined, alias), [address], ['invalid alone']],
    ['an address beside an alias', change(undefined, address), [alias], ['invalid alone']],
    ['a disabled alias', change(undefined, off(alias)), [address], []],
    ['an alias that is enabled', change(off(alias), alias), [address], ['invalid alone']],
    [
      'an alias in place of the address',
      change(address, { ...alias, id: address.id }),
      [address],
      [],
    ],
    ['an equal record', change(undefined, same), [address], ['conflict unique']],
    ['an equal disabled record', change(undefined, off(same)), [address], []],
    ['an equal record that is enabled', change(off(same), same), [address], ['conflict unique']],
    ['an edit', change(address, { ...address, ttl: 60 }), [address], []],
  ])('%s', async (_, given, stored, expected) => {
    await expect(check(given, stored)).resolves.toEqual(expected);
  });

  it('refuses a record that becomes active before the existing alias is changed', async () => {
    const begins = change(undefined, address);
    const edited = change(alias, { ...alias, ttl: 60 });
    const facts = { future: await toFutureNames([begins, edited], [alias]) };
    expect(checkAlias(facts, begins)).toMatchObject([{ problem: { validator: 'alone' } }]);
    expect(checkAlias(facts, edited)).toEqual([]);
  });
});
