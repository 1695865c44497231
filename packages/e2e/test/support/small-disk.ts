/* oxlint-disable jest/valid-title, jest/valid-describe-callback, jest/no-disabled-tests, jest/expect-expect --
   declares the suites of other files */
import { describe, it } from '@jest/globals';
import { type Disk, waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '/mnt';

/** Suite with a separate disk. It is skipped with a line for users who may not mount one. */
export function describeWithSmallDisk(title: string, suite: () => void): void {
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', FOLDER]);
  if (status === 0) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`SKIPPED (this user may not mount a tmpfs): ${title}\n`);
  describe(title, () => {
    it.skip('needs the right to mount', () => undefined);
  });
}

/** In-memory file system with a fixed size. Only programs that are started on it can see it. */
export class SmallDisk implements Disk {
  /** Path for those programs. */
  readonly folder = FOLDER;
  /** Process that keeps the namespace while no program runs in it. */
  readonly #keeper: ChildProcess;

  private constructor(keeper: ChildProcess) {
    this.#keeper = keeper;
  }

  static async mount(octets: number): Promise<SmallDisk> {
    const script = `mount -t tmpfs -o size=${octets} tmpfs ${FOLDER} && : > ${FOLDER}/mounted && exec cat`;
    // `cat` reads from this process until this process ends.
    const keeper = spawn('unshare', ['-m', 'sh', '-c', script], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const disk = new SmallDisk(keeper);
    await waitFor(() => existsSync(join(disk.seenFromOutside, 'mounted')));
    return disk;
  }

  /** Path of the folder for this process. */
  get seenFromOutside(): string {
    return join('/proc', String(this.#keeper.pid), 'root', FOLDER);
  }

  /** Options for forking a program that sees the disk. */
  get launcher(): { execPath: string; execArgv: string[] } {
    const [execPath = '', ...args] = this.enter();
    return { execPath, execArgv: [...args, process.execPath] };
  }

  enter({ uid, gid }: { uid?: number; gid?: number } = {}): readonly string[] {
    const user = uid === undefined ? [] : [`--setuid=${uid}`, `--setgid=${gid ?? uid}`];
    return ['nsenter', '-t', String(this.#keeper.pid), '-m', ...user, '--'];
  }

  resize(octets: number): void {
    const [program = '', ...args] = this.enter();
    const mount = ['mount', '-o', `remount,size=${octets}`, FOLDER];
    const { status, stderr } = spawnSync(program, [...args, ...mount], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The disk keeps its size: ${stderr}`);
  }

  async unmount(): Promise<void> {
    const exited = once(this.#keeper, 'exit');
    this.#keeper.stdin?.end();
    await exited;
  }
}
