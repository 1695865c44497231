/* oxlint-disable jest/valid-title, jest/valid-describe-callback, jest/no-disabled-tests, jest/expect-expect --
   declares the suites of other files */
import { describe, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Debian's package libfaketime puts the library for programs with threads. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

export const hasProcessClock = LIBRARY !== undefined;

/** A suite that sets the clock of processes: skipped, with a visible line, where libfaketime is not installed. */
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

/** The wall clock of one process, which a test sets as an operator, or a time server gone wrong, would. */
export class ProcessClock {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** One that goes right. */
  static async create(): Promise<ProcessClock> {
    const clock = new ProcessClock(await mkdtemp(join(tmpdir(), 'zonewright-clock-')));
    await clock.set(0);
    return clock;
  }

  /** What the process has to be started with. What it measures durations with is left alone. */
  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: join(this.#folder, 'offset'),
      // It looks at the file each time it is asked.
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Sets it so many seconds ahead of the true time, or behind it. */
  async set(seconds: number): Promise<void> {
    const text = `${seconds < 0 ? '' : '+'}${seconds}s\n`;
    await writeFile(join(this.#folder, 'new'), text);
    await rename(join(this.#folder, 'new'), join(this.#folder, 'offset'));
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
