import { describe, expect, it } from '@jest/globals';
import type { FeedDatabase } from '@zonewright/database';
import { FakeClock } from '@zonewright/testkit';
import { Belief, DisbeliefError } from '../src/sync/belief.js';

const MINUTE_MS = 60_000;
const database = (id: string, acceptance: FeedDatabase['acceptance'] = null) => ({
  id,
  acceptance,
});

describe('ADR 0020: losses', () => {
  it.each([
    [100, 50, true],
    [100, 51, false],
    [20, 10, true],
    [20, 11, false],
    [10, 10, true],
    [11, 11, false],
    [1_000_000, 500_001, false],
    [0, 0, true],
  ])('of %i zones %i may go: %s', (zones, leaving, expected) => {
    const belief = new Belief(new FakeClock());
    expect(belief.allowsLoss(leaving, zones, undefined)).toBe(expected);
    expect(belief.doubt === undefined).toBe(expected);
  });

  it('are counted against the most that there were within an hour, and additions make up for them', () => {
    const clock = new FakeClock();
    const belief = new Belief(clock);
    belief.settle(undefined, 100);
    for (let zones = 99; zones >= 50; zones--) {
      expect(belief.allowsLoss(1, zones + 1, undefined)).toBe(true);
      clock.advance(MINUTE_MS);
      belief.settle(undefined, zones);
    }
    expect(belief.allowsLoss(1, 50, undefined)).toBe(false);
    expect(belief.doubt).toBe('1 of 50 zones would go, after 50 within an hour');
    expect(belief.allowsLoss(1, 51, undefined)).toBe(true);
    clock.advance(30 * MINUTE_MS);
    expect(belief.allowsLoss(1, 50, undefined)).toBe(true);
  });

  it('a zone that is made and deleted again and again is no loss', () => {
    const belief = new Belief(new FakeClock());
    belief.settle(undefined, 25);
    for (let round = 0; round < 100; round++) {
      expect(belief.allowsLoss(12, 25, undefined)).toBe(true);
      belief.settle(undefined, 13);
      belief.settle(undefined, 25);
    }
  });

  it('one word of the operator is good for one of them', () => {
    const belief = new Belief(new FakeClock());
    belief.settle(database('a'), 100);
    const accepted = database('a', { id: 'word', insteadOf: [] });
    expect(belief.allowsLoss(80, 100, accepted)).toBe(true);
    belief.settle(accepted, 20);
    expect(belief.allowsLoss(1, 20, accepted)).toBe(true);
    expect(belief.allowsLoss(15, 20, accepted)).toBe(false);
  });
});

describe('ADR 0020: identities', () => {
  const knowing = (id: string) => {
    const belief = new Belief(new FakeClock());
    belief.resume({ id, acceptance: null });
    return belief;
  };

  it.each([
    ['the one that is known', 'a', database('a'), true],
    ['another one', 'a', database('b'), false],
    ['none', 'a', undefined, false],
    [
      'another one, accepted in its place',
      'a',
      database('b', { id: 'w', insteadOf: ['c', 'a'] }),
      true,
    ],
    [
      'another one, accepted in the place of a third',
      'a',
      database('b', { id: 'w', insteadOf: ['c'] }),
      false,
    ],
  ])('%s', (_, known, found, expected) => {
    const belief = knowing(known);
    let failure: unknown;
    try {
      belief.examine({ database: found }, () => true);
    } catch (error) {
      failure = error;
    }
    expect(failure instanceof DisbeliefError).toBe(!expected);
    expect(belief.isElsewhere).toBe(!expected);
  });

  it('ADR 0058: a nameserver that holds no zone follows any database', () => {
    const belief = knowing('a');
    const other = { database: database('b') };
    belief.examine(other, () => false);
    expect(belief.isElsewhere).toBe(false);
    expect(() => {
      belief.examine(other, () => true);
    }).toThrow(DisbeliefError);
    // Nothing was applied since, so that nothing is listed again.
    expect(() => {
      belief.examine(other, () => {
        throw new Error('listed again');
      });
    }).toThrow(DisbeliefError);
  });

  it('who knows nothing believes anything, and remembers it', () => {
    const belief = new Belief(new FakeClock());
    belief.examine({ database: database('b') }, () => true);
    belief.settle(database('b'), 1);
    expect(belief.known).toEqual({ id: 'b', acceptance: null });
  });
});
