import { describe, expect, it } from '@jest/globals';
import type { RrsetToSign } from '../request/unit-of-work.js';
import { partsToSign } from './sign-step.js';

const MEBIBYTE = 1_048_576;

/** RRsets with this many bytes of rdata each. */
const itemsOf = (...sizes: readonly number[]): RrsetToSign[] =>
  sizes.map((size) => ({
    owner: Buffer.of(0),
    rrset: {
      type: 16,
      ttl: 300,
      rdatas: [Buffer.alloc(Math.floor(size / 2)), Buffer.alloc(Math.ceil(size / 2))],
    },
  }));
const lengthsOf = (items: readonly RrsetToSign[]) =>
  Array.from(partsToSign(items), ({ length }) => length);

describe('partsToSign', () => {
  it('splits after 2,000 RRsets', () => {
    expect(lengthsOf(itemsOf(...Array.from({ length: 4_001 }, () => 4)))).toEqual([
      2_000, 2_000, 1,
    ]);
    expect(lengthsOf([])).toEqual([]);
  });

  it('splits before 4 MiB of rdata are exceeded', () => {
    expect(lengthsOf(itemsOf(MEBIBYTE, 3 * MEBIBYTE, 1, MEBIBYTE))).toEqual([2, 2]);
  });

  it('leaves an RRset with more rdata alone, and loses none', () => {
    const items = itemsOf(1, 5 * MEBIBYTE, 1, 1);
    expect(lengthsOf(items)).toEqual([1, 1, 2]);
    expect([...partsToSign(items)].flat()).toEqual(items);
  });
});
