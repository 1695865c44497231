import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** Linux control group that kills processes above a memory limit: version 2, or the memory controller of version 1. */
export class MemoryLimit {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns undefined, and prints a line, if no control group can be created. */
  static create(octets: number): MemoryLimit | undefined {
    const name = `zonewright-attacks-${process.pid}`;
    const [folder, file] = existsSync(join(ROOT, 'memory'))
      ? [join(ROOT, 'memory', name), 'memory.limit_in_bytes']
      : [join(ROOT, name), 'memory.max'];
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, file), String(octets));
      return new MemoryLimit(folder);
    } catch (error) {
      process.stderr.write(`SKIPPED a limit of memory by a cgroup: ${(error as Error).message}\n`);
      return undefined;
    }
  }

  /** Puts a process under the limit. Memory that it already has does not count. */
  add(pid: number): void {
    writeFileSync(join(this.#folder, 'cgroup.procs'), String(pid));
  }

  /** Removes the group after its processes have ended. */
  remove(): void {
    rmdirSync(this.#folder);
  }
}

/** Returns the peak memory of a process in bytes. Undefined on systems other than Linux. */
export function peakMemoryOf(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1]) * 1_024;
}
