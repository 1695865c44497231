import { describe, expect, it } from '@jest/globals';
import type { FeedDatabase } from '@zonewright/database';
import { FakeClock } from '@zonewright/testkit';
import {
  DatabaseIdentityCheck,
  IdentityMismatchError,
} from '../src/sync/database-identity-check.js';

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
  ])('of %i zones %i may disappear: %s', (zones, leaving, expected) => {
    const identityCheck = new DatabaseIdentityCheck(new FakeClock());
    expect(identityCheck.allowsLoss(leaving, zones, undefined)).toBe(expected);
    expect(identityCheck.doubt === undefined).toBe(expected);
  });

  it('are compared with the largest number of zones within an hour, and additions balance them', () => {
    const clock = new FakeClock();
    const identityCheck = new DatabaseIdentityCheck(clock);
    identityCheck.settle(undefined, 100);
    for (let zones = 99; zones >= 50; zones--) {
      expect(identityCheck.allowsLoss(1, zones + 1, undefined)).toBe(true);
      clock.advance(MINUTE_MS);
      identityCheck.settle(undefined, zones);
    }
    expect(identityCheck.allowsLoss(1, 50, undefined)).toBe(false);
    expect(identityCheck.doubt).toBe('1 of 50 zones would be removed, after 50 within an hour');
    expect(identityCheck.allowsLoss(1, 51, undefined)).toBe(true);
    clock.advance(30 * MINUTE_MS);
    expect(identityCheck.allowsLoss(1, 50, undefined)).toBe(true);
  });

  it('a zone that is created and deleted repeatedly is not a loss', () => {
    const identityCheck = new DatabaseIdentityCheck(new FakeClock());
    identityCheck.settle(undefined, 25);
    for (let round = 0; round < 100; round++) {
      expect(identityCheck.allowsLoss(12, 25, undefined)).toBe(true);
      identityCheck.settle(undefined, 13);
      identityCheck.settle(undefined, 25);
    }
  });

  it('one confirmation by the operator is valid for one loss', () => {
    const identityCheck = new DatabaseIdentityCheck(new FakeClock());
    identityCheck.settle(database('a'), 100);
    const accepted = database('a', { id: 'word', insteadOf: [] });
    expect(identityCheck.allowsLoss(80, 100, accepted)).toBe(true);
    identityCheck.settle(accepted, 20);
    expect(identityCheck.allowsLoss(1, 20, accepted)).toBe(true);
    expect(identityCheck.allowsLoss(15, 20, accepted)).toBe(false);
  });
});

describe('ADR 0020: identities', () => {
  const knowing = (id: string) => {
    const identityCheck = new DatabaseIdentityCheck(new FakeClock());
    identityCheck.resume({ id, acceptance: null });
    return identityCheck;
  };

  it.each([
    ['the known one', 'a', database('a'), true],
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
    const identityCheck = knowing(known);
    let failure: unknown;
    try {
      identityCheck.examine({ database: found }, () => true);
    } catch (error) {
      failure = error;
    }
    expect(failure instanceof IdentityMismatchError).toBe(!expected);
    expect(identityCheck.isElsewhere).toBe(!expected);
  });

  it('ADR 0020: a nameserver without zones follows any database', () => {
    const identityCheck = knowing('a');
    const other = { database: database('b') };
    identityCheck.examine(other, () => false);
    expect(identityCheck.isElsewhere).toBe(false);
    expect(() => {
      identityCheck.examine(other, () => true);
    }).toThrow(IdentityMismatchError);
    // No zone has been applied since, so none is listed again.
    expect(() => {
      identityCheck.examine(other, () => {
        throw new Error('listed again');
      });
    }).toThrow(IdentityMismatchError);
  });

  it('a nameserver that knows none accepts any, and remembers it', () => {
    const identityCheck = new DatabaseIdentityCheck(new FakeClock());
    identityCheck.examine({ database: database('b') }, () => true);
    identityCheck.settle(database('b'), 1);
    expect(identityCheck.known).toEqual({ id: 'b', acceptance: null });
  });
});
