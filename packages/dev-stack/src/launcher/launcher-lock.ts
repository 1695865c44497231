import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, startOf } from '../embedded/running-process.js';

/**
 * Lock of one launcher on a data folder: a file with the id and the start time of its process. The id alone may now
 * belong to another program.
 */
export class LauncherLock {
  readonly file: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.file = join(folder, 'launcher.pid');
  }

  /** @throws Error if another launcher holds the lock */
  take(): void {
    const other = this.#read();
    if (other !== undefined && isHolder(other)) this.#refuse(other.pid);
    // The launcher of this file was killed.
    if (other !== undefined) rmSync(this.file, { force: true });
    try {
      writeFileSync(this.file, `${process.pid}\n${startOf(process.pid)}\n`, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // Another launcher started at the same moment.
      this.#refuse(this.#read()?.pid ?? 0);
    }
  }

  release(): void {
    rmSync(this.file, { force: true });
  }

  #read(): { readonly pid: number; readonly start: string } | undefined {
    try {
      const [pid = '', start = ''] = readFileSync(this.file, 'utf8').split('\n');
      return { pid: Number.parseInt(pid, 10), start };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #refuse(pid: number): never {
    throw new Error(
      `Zonewright is already running on ${this.#folder} (process ${pid}). Stop it first, or set ZONEWRIGHT_DATA_DIR to another folder.`,
    );
  }
}

function isHolder({ pid, start }: { readonly pid: number; readonly start: string }): boolean {
  return pid > 1 && pid !== process.pid && isRunning(pid) && startOf(pid) === start;
}
