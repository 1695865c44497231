import { expect, it } from '@jest/globals';
import { EventStreamReader } from './events.js';

const TEXT =
  ': \nid: 7:9:8\n\nevent: change\ndata: {"name":"bücher"}\n\ndata: a\ndata: b\r\n\r\nid';

it('HTML s9.2.6: yields whole blocks, regardless of the pieces in which they arrive', () => {
  const octets = new TextEncoder().encode(TEXT);
  for (const size of [1, 2, 3, 7, octets.length]) {
    const reader = new EventStreamReader();
    const blocks = [];
    for (let at = 0; at < octets.length; at += size) {
      blocks.push(...reader.read(octets.subarray(at, at + size)));
    }
    expect(blocks).toEqual([
      { id: '7:9:8', event: undefined, data: undefined },
      { id: undefined, event: 'change', data: '{"name":"bücher"}' },
      { id: undefined, event: undefined, data: 'a\nb' },
    ]);
  }
});
