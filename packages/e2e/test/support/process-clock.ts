/* oxlint-disable jest/valid-title, jest/valid-describe-callback, jest/no-disabled-tests, jest/expect-expect --
   declares the suites of other files */
import { describe, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Path of Debian's libfaketime for programs with threads. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

export const hasProcessClock = LIBRARY !== undefined;

/** Suite that sets the clock of processes. It is skipped with a line if libfaketime is not installed. */
export function describeWithProcessClock(title: string, suite: () => void): void {
  if (LIBRARY !== undefined) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`SKIPPED (no libfaketime; Debian's package faketime has it): ${title}\n`);
  describe(title, () => {
    it.skip('needs libfaketime', () => undefined);
  });
}

/** Wall clock of one process, which a test sets as an operator, or a faulty time server, would. */
export class ProcessClock {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates a correct clock. */
  static async create(): Promise<ProcessClock> {
    const clock = new ProcessClock(await mkdtemp(join(tmpdir(), 'zonewright-clock-')));
    await clock.set(0);
    return clock;
  }

  /** Environment with which the process must be started. Its monotonic clock is not changed. */
  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: join(this.#folder, 'offset'),
      // The library reads the file each time.
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Sets the clock a number of seconds ahead of the real time, or behind it. */
  async set(seconds: number): Promise<void> {
    const text = `${seconds < 0 ? '' : '+'}${seconds}s\n`;
    await writeFile(join(this.#folder, 'new'), text);
    await rename(join(this.#folder, 'new'), join(this.#folder, 'offset'));
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
