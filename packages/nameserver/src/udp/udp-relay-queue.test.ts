import { describe, expect, it } from '@jest/globals';
import { ADDRESS_OCTETS, writeSourceAddress } from '../transport/source-address.js';
import { RelayQueue } from './udp-relay-queue.js';

function addressOf(text: string): Uint8Array {
  const octets = new Uint8Array(ADDRESS_OCTETS);
  writeSourceAddress(octets, text);
  return octets;
}

describe('RelayQueue', () => {
  it('holds a limited number of messages that the main thread has not seen', () => {
    const memory = RelayQueue.create();
    const ofWorker = new RelayQueue(memory);
    const ofMainThread = new RelayQueue(memory);
    const sources = Array.from({ length: 1_000 }, (_, at) =>
      addressOf(`192.0.${at >> 8}.${at & 255}`),
    );
    const entered = sources.map((source) => ofWorker.enter(source));
    expect(entered.filter(Boolean).length).toBeGreaterThan(200);
    expect(entered.filter(Boolean).length).toBeLessThanOrEqual(256);
    expect(entered.lastIndexOf(true)).toBeLessThan(500);
    for (const source of sources.slice(0, 100)) ofMainThread.leave(source);
    expect(ofWorker.enter(sources[0]!)).toBe(true);
  });

  it('floods from several networks leave room for another', () => {
    const queue = new RelayQueue(RelayQueue.create());
    for (let n = 0; n < 5_000; n += 1) queue.enter(addressOf(`192.0.2.${n % 8}`));
    expect(queue.enter(addressOf('198.51.100.7'))).toBe(true);
  });

  it.each([
    ['one address', () => '192.0.2.1'],
    ['one /64', (at: number) => `2001:db8::${at.toString(16)}`],
  ])('a flood from %s leaves places for others', (_what, source) => {
    const queue = new RelayQueue(RelayQueue.create());
    const entered = Array.from({ length: 1_000 }, (_, at) => queue.enter(addressOf(source(at))));
    expect(entered.filter(Boolean)).toHaveLength(128);
    expect(queue.enter(addressOf('198.51.100.7'))).toBe(true);
  });
});
