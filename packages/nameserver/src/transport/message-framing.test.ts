import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MessageFraming } from './message-framing.js';

function frame(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message]);
}

function readAll(chunks: readonly Uint8Array[]): Buffer[] {
  const framing = new MessageFraming();
  return chunks.flatMap((chunk) => {
    framing.push(chunk);
    const messages: Buffer[] = [];
    for (let next = framing.next(); next !== undefined; next = framing.next()) {
      messages.push(Buffer.from(next));
    }
    return messages;
  });
}

describe('MessageFraming', () => {
  it('RFC 7766 s8: returns the same messages however the octets arrive', () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 8 });
    const cuts = fc.array(fc.nat(5_000));
    fc.assert(
      fc.property(messages, cuts, (sent, cutPoints) => {
        const stream = Buffer.concat(sent.map(frame));
        const ends = [...cutPoints.filter((at) => at < stream.length), stream.length];
        ends.sort((a, b) => a - b);
        const chunks = ends.map((end, i) => stream.subarray(ends[i - 1] ?? 0, end));
        expect(readAll(chunks)).toEqual(sent.map((message) => Buffer.from(message)));
      }),
    );
  });

  it('RFC 1035 s4.2.2: returns only complete messages, of up to 65,535 octets', () => {
    const message = Buffer.alloc(65_535, 7);
    const stream = frame(message);
    expect(readAll([stream.subarray(0, -1)])).toEqual([]);
    expect(readAll([stream.subarray(0, -1), stream.subarray(-1)])).toEqual([message]);
    expect(readAll([...stream].map((octet) => Buffer.of(octet)))).toEqual([message]);
  });
});
