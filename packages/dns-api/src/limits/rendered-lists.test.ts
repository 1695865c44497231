import { describe, expect, it } from '@jest/globals';
import { RenderedLists } from './rendered-lists.js';

const MEBIBYTE = { body: Buffer.alloc(1024 * 1024), headers: {} };

describe('RenderedLists', () => {
  it('contains at most 64 MiB, and removes the least recently used lists first', () => {
    const lists = new RenderedLists({ now: () => 0 });
    for (let each = 1; each <= 63; each += 1) lists.keep(`list ${each}`, MEBIBYTE);
    expect(lists.find('list 1')).toBe(MEBIBYTE);
    lists.keep('list 64', MEBIBYTE);
    expect(lists.find('list 2')).toBeUndefined();
    expect(lists.find('list 1')).toBe(MEBIBYTE);
    expect(lists.find('list 64')).toBe(MEBIBYTE);
  });

  it('does not count a list twice when it is stored again', () => {
    const lists = new RenderedLists({ now: () => 0 });
    for (let time = 1; time <= 200; time += 1) lists.keep('list', MEBIBYTE);
    lists.keep('other', MEBIBYTE);
    expect(lists.find('list')).toBe(MEBIBYTE);
  });
});
