import { describe, expect, it } from '@jest/globals';
import { createRateLimitTable, RateLimiter, VERDICT } from './rate-limiter.js';
import { ADDRESS_OCTETS, writeSourceAddress } from '../transport/source-address.js';

const START = Date.UTC(2026, 10, 21);
const ANSWER = 0x5eed;
const OCTETS = 100;

function source(text: string): Uint8Array {
  const octets = new Uint8Array(ADDRESS_OCTETS);
  writeSourceAddress(octets, text);
  return octets;
}

interface Options {
  readonly perSecond?: number;
  readonly octetsPerSecond?: number;
  readonly slip?: number;
  readonly entries?: number;
}

function createLimiter(options: Options = {}) {
  const limiter = new RateLimiter(createRateLimitTable(options.entries ?? 1_024, [1, 2]), {
    responsesPerSecond: options.perSecond ?? 10,
    octetsPerSecond: options.octetsPerSecond ?? 1_000_000,
    slip: options.slip ?? 0,
  });
  let now = START;
  const advance = (ms: number) => (now += ms);
  /** Returns how many of `count` equal and simultaneous answers are sent. */
  const sent = (count: number, address = '192.0.2.1', answer = ANSWER) =>
    verdicts(count, address, answer).filter((verdict) => verdict === VERDICT.SEND).length;
  const verdicts = (count: number, address = '192.0.2.1', answer = ANSWER) =>
    Array.from({ length: count }, () => limiter.decide(source(address), answer, OCTETS, now));
  /** Returns how many of `count` different answers are sent. */
  const sentOfRotating = (count: number, address = '192.0.2.1') =>
    Array.from({ length: count }, (_, name) => sent(1, address, ANSWER + name)).filter(Boolean)
      .length;
  return { advance, sent, sentOfRotating, verdicts };
}

describe('RateLimiter', () => {
  it.each([1, 3, 7, 10, 200, 1_000])('allows one second of answers at once: %i', (rate) => {
    expect(createLimiter({ perSecond: rate }).sent(5_000)).toBe(rate);
  });

  it('allows the rate as long as it is not exceeded', () => {
    const { advance, sent } = createLimiter({ perSecond: 10 });
    sent(100);
    for (let i = 0; i < 50; i++) {
      advance(100);
      expect(sent(3)).toBe(1);
    }
    advance(60_000);
    expect(sent(100)).toBe(10);
  });

  it.each([
    ['192.0.2.1', '192.0.2.254', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['2001:db8:0:ff::1', '2001:db8:0:1::1', true],
    ['2001:db8:0:100::1', '2001:db8:0:200::1', false],
  ])('counts IPv4 /24 and IPv6 /56 together: %s and %s: %s', (one, other, isSame) => {
    const { sent } = createLimiter();
    sent(100, one);
    expect(sent(1, other)).toBe(isSame ? 0 : 1);
  });

  it('counts each answer separately', () => {
    const { sent } = createLimiter();
    sent(100);
    expect(sent(1, '192.0.2.1', ANSWER + 1)).toBe(1);
  });

  it.each([1_000, 5_000, 40_000])(
    'counts the octets of all answers to a network, regardless of changing names: %i',
    (octetsPerSecond) => {
      const { sentOfRotating, advance } = createLimiter({ octetsPerSecond });
      expect(sentOfRotating(2_000)).toBe(octetsPerSecond / OCTETS);
      expect(sentOfRotating(100, '192.0.2.77')).toBe(0);
      expect(sentOfRotating(10, '198.51.100.1')).toBe(10);
      advance(500);
      expect(sentOfRotating(2_000)).toBe(octetsPerSecond / OCTETS / 2);
    },
  );

  it("does not limit a network's other answers while it is flooded with one", () => {
    const { sent } = createLimiter({ octetsPerSecond: 5_000 });
    expect(sent(10_000)).toBe(10);
    expect(sent(10, '192.0.2.1', ANSWER + 1)).toBe(10);
  });

  it('continues to limit a network when there are more names than entries', () => {
    const { sentOfRotating } = createLimiter({ entries: 64, octetsPerSecond: 5_000 });
    expect(sentOfRotating(10_000)).toBeLessThan(60);
  });

  it.each([
    [0, 0],
    [1, 90],
    [2, 45],
    [3, 30],
  ])('slip %i: of 90 answers over the limit, %i are sent truncated', (slip, expected) => {
    const { verdicts } = createLimiter({ slip });
    const slipped = verdicts(100).filter((verdict) => verdict === VERDICT.SLIP);
    expect(slipped).toHaveLength(expected);
  });

  it('is not affected when the clock is set back', () => {
    const { advance, sent } = createLimiter();
    sent(100);
    advance(-3_600_000);
    expect(sent(100)).toBe(10);
  });

  it('continues to limit one network while a flood from others fills the table', () => {
    const { sent } = createLimiter({ entries: 64 });
    sent(100, '198.51.100.1');
    for (let i = 0; i < 10_000; i++) sent(1, `10.${i % 256}.${i >> 8}.1`);
    expect(sent(100, '198.51.100.1')).toBe(0);
  });
});
