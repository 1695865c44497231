import { describe, expect, it } from '@jest/globals';
import { RenderedLists } from './rendered-lists.js';

const MEBIBYTE = { body: Buffer.alloc(1024 * 1024), headers: {} };

describe('RenderedLists', () => {
  it('holds at most 64 MiB: what was not asked for the longest time goes first', () => {
    const lists = new RenderedLists({ now: () => 0 });
    for (let each = 1; each <= 63; each += 1) lists.keep(`list ${each}`, MEBIBYTE);
    expect(lists.find('list 1')).toBe(MEBIBYTE);
    lists.keep('list 64', MEBIBYTE);
    expect(lists.find('list 2')).toBeUndefined();
    expect(lists.find('list 1')).toBe(MEBIBYTE);
    expect(lists.find('list 64')).toBe(MEBIBYTE);
  });

  it('keeping a list again does not count it twice', () => {
    const lists = new RenderedLists({ now: () => 0 });
    for (let time = 1; time <= 200; time += 1) lists.keep('list', MEBIBYTE);
    lists.keep('other', MEBIBYTE);
    expect(lists.find('list')).toBe(MEBIBYTE);
  });
});
