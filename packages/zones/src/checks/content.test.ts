import { describe, expect, it } from '@jest/globals';
import type { ZoneRecord } from '../rows/record.js';
import { change, EXAMPLE, record } from './test-values.js';
import { checkContent } from './guard.js';

const address = record('a.example.com. A 192.0.2.1');
const soa = { ...address, type: 'SOA', data: 'ns. admin. 1 2 3 4 5' } as unknown as ZoneRecord;

describe('checkContent', () => {
  it('accepts rows that a request could write, and the deletion of any', () => {
    expect(checkContent(EXAMPLE, change(undefined, address))).toEqual([]);
    expect(checkContent(EXAMPLE, change(soa, undefined))).toEqual([]);
  });

  it('rejects types that the service writes itself', () => {
    expect(checkContent(EXAMPLE, change(undefined, soa))).toMatchObject([
      { kind: 'invalid', problem: { path: 'type', validator: 'enum' } },
    ]);
  });
});
