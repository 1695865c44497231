import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger, type Logger } from '@zonewright/service-kit';
import { RepeatedJob } from './repeated-job.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

class TestJob extends RepeatedJob {
  runs = 0;
  readonly #run: (runs: number) => Promise<number | undefined>;

  constructor(run: (runs: number) => Promise<number | undefined>, log: Logger) {
    super({ log, restMs: 1_000, onFailure: 'failed' });
    this.#run = run;
  }

  override async run(): Promise<void> {
    this.restMs = (await this.#run((this.runs += 1))) ?? this.restMs;
  }
}

function jobOf(
  run: (runs: number) => Promise<number | undefined>,
  log: Logger = createLogger('test', 'silent'),
): TestJob {
  const job = new TestJob(run, log);
  job.start();
  return job;
}

describe('RepeatedJob', () => {
  it('runs after each pause, which a run may choose, until it is stopped', async () => {
    const job = jobOf((runs) => Promise.resolve(runs === 2 ? 5_000 : undefined));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(job.runs).toBe(2);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(job.runs).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(job.runs).toBe(3);
    await job.stop();
    job.wake();
    job.start();
    await jest.advanceTimersByTimeAsync(9_000);
    expect(job.runs).toBe(3);
  });

  it('runs at once when it is woken, and once more if it was running', async () => {
    const ends: (() => void)[] = [];
    const job = jobOf(
      () =>
        new Promise((resolve) =>
          ends.push(() => {
            resolve(undefined);
          }),
        ),
    );
    job.wake();
    job.wake();
    job.wake();
    expect(job.runs).toBe(1);
    ends.shift()?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(job.runs).toBe(2);
    ends.shift()?.();
    await jest.advanceTimersByTimeAsync(999);
    expect(job.runs).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(job.runs).toBe(3);
  });

  it('is stopped when its run has ended', async () => {
    let end = (): void => undefined;
    const job = jobOf(
      () =>
        new Promise(
          (resolve) =>
            (end = () => {
              resolve(undefined);
            }),
        ),
    );
    job.wake();
    let isStopped = false;
    const stopped = job.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(isStopped).toBe(false);
    end();
    await stopped;
    expect(job.runs).toBe(1);
  });

  it('warns of a failure, but not of a database that is away, and runs again', async () => {
    const log = createLogger('test', 'silent');
    const warn = jest.spyOn(log, 'warn');
    const debug = jest.spyOn(log, 'debug');
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const job = jobOf((runs) => Promise.reject(runs === 1 ? new Error('wrong') : away), log);
    await jest.advanceTimersByTimeAsync(2_000);
    expect([job.runs, warn.mock.calls.length, debug.mock.calls.length]).toEqual([2, 1, 1]);
    await job.stop();
  });
});
