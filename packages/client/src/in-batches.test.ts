import { describe, expect, it } from '@jest/globals';
import { inBatches, type RecordOperation } from './records.js';

const deletion = (id: string): RecordOperation => ({ action: 'delete', id, if_version: 1 });
const sizes = (operations: readonly RecordOperation[]) =>
  inBatches(operations).map(({ length }) => length);

describe('inBatches', () => {
  it('makes no batch from an empty list, and keeps the order', () => {
    expect(inBatches([])).toEqual([]);
    const operations = Array.from({ length: 10_001 }, (_, at) => deletion(String(at)));
    expect(inBatches(operations).flat()).toEqual(operations);
  });

  it('puts up to 10,000 operations into one batch', () => {
    const many = (count: number) => Array.from({ length: count }, () => deletion('x'));
    expect(sizes(many(10_000))).toEqual([10_000]);
    expect(sizes(many(20_001))).toEqual([10_000, 10_000, 1]);
  });

  it('puts up to 2,000,000 characters into each batch', () => {
    const empty = JSON.stringify(deletion('')).length;
    const long = (characters: number) => deletion('x'.repeat(characters - empty));
    expect(sizes([long(1_000_000), long(1_000_000)])).toEqual([2]);
    expect(sizes([long(1_000_000), long(1_000_001)])).toEqual([1, 1]);
    expect(sizes([long(2_000_000), long(1_000_000), long(1_000_000), deletion('')])).toEqual([
      1, 2, 1,
    ]);
  });

  it('sends an operation that is too long alone', () => {
    expect(sizes([deletion('x'.repeat(3_000_000)), deletion('y')])).toEqual([1, 1]);
  });
});
