import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from '@zonewright/database';
import { ClockCheck } from './clock-check.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns a database whose clock is ahead by this number of seconds, and that counts the queries. */
function databaseAhead(seconds: number) {
  const database = { seconds, asked: [] as unknown[] };
  const raw = (_statement: string, [at]: unknown[]) => {
    database.asked.push(at);
    return Promise.resolve({ rows: [{ seconds: database.seconds }] });
  };
  return { database, db: { raw } as unknown as Database };
}

const NOW = new Date('2030-01-31T12:00:00Z');
const CLOCK = { now: () => NOW.getTime() };

describe('ClockCheck', () => {
  it.each([0, 60, -60])('accepts a difference of %s s', async (seconds) => {
    const { db, database } = databaseAhead(seconds);
    await expect(new ClockCheck(db, CLOCK).require()).resolves.toBeUndefined();
    expect(database.asked).toEqual([NOW]);
  });

  it.each([60.6, -60.6])('RFC 4035 s5.3.1: refuses a difference of %s s', async (seconds) => {
    const { db } = databaseAhead(seconds);
    await expect(new ClockCheck(db, CLOCK).require()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining(`differ by ${Math.round(seconds)} s`),
    });
  });

  it('a right clock is trusted for 10 s, and a wrong one is checked again at once', async () => {
    const { db, database } = databaseAhead(0);
    let elapsed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => elapsed);
    const check = new ClockCheck(db, CLOCK);
    await check.require();
    elapsed = 10_000;
    database.seconds = 61;
    await check.require();
    expect(database.asked).toHaveLength(1);
    elapsed = 10_001;
    await expect(check.require()).rejects.toThrow('differ by 61 s');
    await expect(check.require()).rejects.toThrow('differ by 61 s');
    expect(database.asked).toHaveLength(3);
    database.seconds = 1;
    await check.require();
    await check.require();
    expect(database.asked).toHaveLength(4);
  });
});
