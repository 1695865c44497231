import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from '@zonewright/database';
import { createLogger, ServiceError } from '@zonewright/service-kit';
import { ZoneJobs, type ZoneJobsParts } from './zone-jobs.js';

const NOW = Date.UTC(2030, 0, 31);

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/**
 * Returns jobs on a database with due zones that cannot be maintained, a situation that PostgreSQL alone cannot
 * produce.
 */
function jobsOn(
  due: readonly string[],
  fault: Error,
  { did = [], ...parts }: Partial<ZoneJobsParts> & { readonly did?: (string | undefined)[] } = {},
) {
  const seen = { done: [] as string[], tried: 0, audits: 0, deletedBefore: [] as unknown[] };
  const raw = (statement: string, bindings: unknown[]) => {
    const isDeletion = statement.startsWith('delete');
    if (isDeletion) seen.deletedBefore.push(bindings[0]);
    const [, except, limit] = bindings as [Date, string[], number];
    const found = isDeletion ? [] : due.filter((id) => !except.includes(id)).slice(0, limit);
    return Promise.resolve({ rows: found.map((id) => ({ id })) });
  };
  const left = [...did];
  const transaction = () => {
    seen.tried += 1;
    return left.length > 0 ? Promise.resolve(left.shift()) : Promise.reject(fault);
  };
  const jobs = new ZoneJobs({
    db: { raw, transaction } as unknown as Database,
    clock: { now: () => NOW },
    log: createLogger('test', 'silent'),
    everyMs: 1,
    signerOf: () => ({ sign: () => Promise.resolve([]) }),
    createKey: () => Promise.resolve(),
    requireClock: () => Promise.resolve(),
    audit: {
      step: () => {
        seen.audits += 1;
        return Promise.resolve(false);
      },
    },
    onDone: (kind) => {
      seen.done.push(kind);
    },
    ...parts,
  });
  return { jobs, seen };
}

describe('ZoneJobs', () => {
  it('makes all due changes of a zone, and checks again until none is left', async () => {
    const did = ['sign-first', 'renew', 'wait', 'list-key', undefined, 'wait'];
    const { jobs, seen } = jobsOn(['one'], new Error('none'), { did });
    expect(await jobs.run()).toBe(3);
    expect(seen).toMatchObject({ tried: 6, audits: 1 });
    expect(seen.done).toEqual(['sign-first', 'renew', 'wait', 'list-key', 'wait']);
  });

  it('ends after the current action when it is stopped', async () => {
    const { jobs, seen } = jobsOn(['one', 'other'], new Error('none'), {
      did: ['renew', 'renew', 'renew'],
      onDone: (kind) => {
        seen.done.push(kind);
        void jobs.stop();
      },
    });
    expect(await jobs.run()).toBe(1);
    expect(seen.done).toEqual(['renew']);
  });

  it('skips a zone that cannot be maintained for a minute, and tries the others', async () => {
    const { jobs, seen } = jobsOn(['one', 'other'], new Error('of this zone'));
    const now = jest.spyOn(Date, 'now').mockReturnValue(NOW);
    expect(await jobs.run()).toBe(0);
    expect(seen.tried).toBe(2);
    now.mockReturnValue(NOW + 59_999);
    await jobs.run();
    expect(seen.tried).toBe(2);
    now.mockReturnValue(NOW + 60_000);
    await jobs.run();
    expect(seen.tried).toBe(4);
    expect(seen.audits).toBe(3);
  });

  it('tries zones behind a hundred that cannot be maintained', async () => {
    const due = Array.from({ length: 201 }, (_, at) => `zone-${at}`);
    const { jobs, seen } = jobsOn(due, new Error('of these zones'));
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
    for (let round = 0; round < 3; round += 1) await jobs.run();
    expect(seen.tried).toBe(201);
  });

  it('tries all zones again at once after the database was unavailable', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const { jobs, seen } = jobsOn(['one'], away);
    await expect(jobs.run()).rejects.toBe(away);
    await expect(jobs.run()).rejects.toBe(away);
    expect(seen.tried).toBe(2);
    expect(seen.audits).toBe(0);
  });

  it('keeps steps for 30 days', async () => {
    const { jobs, seen } = jobsOn([], new Error('none'));
    await jobs.run();
    expect(seen.deletedBefore).toEqual([new Date(NOW - 30 * 86_400_000)]);
  });

  it('RFC 4035 s5.3.1: does nothing while the clock is wrong', async () => {
    const error = new ServiceError('unavailable', 'The clocks differ.');
    const requireClock = () => Promise.reject(error);
    const { jobs, seen } = jobsOn(['one'], new Error('none'), { requireClock });
    await expect(jobs.run()).rejects.toBe(error);
    expect(seen).toEqual({ done: [], tried: 0, audits: 0, deletedBefore: [] });
  });

  it('continues after a failed round, until it is stopped', async () => {
    jest.useFakeTimers();
    let rounds = 0;
    const requireClock = () => {
      rounds += 1;
      return Promise.reject(new Error('not now'));
    };
    const { jobs } = jobsOn([], new Error('none'), { requireClock, everyMs: 100 });
    jobs.start();
    await jest.advanceTimersByTimeAsync(350);
    expect(rounds).toBe(3);
    await jobs.stop();
    await jest.advanceTimersByTimeAsync(350);
    jobs.start();
    await jest.advanceTimersByTimeAsync(350);
    expect(rounds).toBe(3);
  });
});
