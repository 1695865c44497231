import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('programs/logging.mjs', import.meta.url));
const LINKED = fileURLToPath(new URL('programs/linked-package.mjs', import.meta.url));
const KILOBYTE = 1024;

interface Count {
  readonly logged: number;
  readonly dropped: number;
  /** Number of bytes that wait for the reader. */
  readonly waiting: number;
}
interface Line {
  readonly number?: number;
  readonly level: string;
  readonly msg: string;
  readonly dropped?: number;
  readonly reason?: string;
}

let child: ChildProcess | undefined;
let ended: Promise<never>;

async function start(
  stdout: 'pipe' | number,
  { shell = '', octetsOfLine = 10 } = {},
): Promise<ChildProcess> {
  const command = `${shell} exec "$0" "$@"`;
  child = spawn('sh', ['-c', command, process.execPath, PROGRAM, String(octetsOfLine)], {
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] },
  });
  ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The service ended with ${String(code)}.`);
  });
  ended.catch(() => undefined);
  await once(child, 'message');
  return child;
}

/**
 * Makes the program log this number of lines, and returns the counts of all lines so far. @throws Error if the program
 * ends instead
 */
async function log(lines: number): Promise<Count> {
  child!.send(lines);
  const [count] = (await Promise.race([once(child!, 'message'), ended])) as [Count];
  return count;
}

/** Repeats until the counts are sufficient; jest ends an endless wait. */
async function logUntil(lines: number, isEnough: (count: Count) => boolean): Promise<Count[]> {
  const counts: Count[] = [];
  do counts.push(await log(lines));
  while (!isEnough(counts.at(-1)!));
  return counts;
}

function parseLines(text: string): Line[] {
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as Line);
}

afterEach(async () => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
});

describe('a log that cannot be written: the service continues, and lines are dropped and counted', () => {
  (process.platform === 'linux' ? it : it.skip)('standard output on a full device', async () => {
    const full = openSync('/dev/full', 'w');
    await start(full);
    closeSync(full);
    for (let round = 1; round <= 3; round += 1) {
      expect(await log(10)).toMatchObject({ logged: 10 * round, dropped: 10 * round });
    }
  });

  it('continues when the reader of the pipe was killed', async () => {
    const { stdout } = await start('pipe');
    stdout!.destroy();
    const [before] = (await logUntil(1, ({ dropped }) => dropped > 0)).slice(-1);
    const later = await logUntil(1, ({ dropped }) => dropped > before!.dropped);
    expect(later).not.toEqual([]);
  });

  it('a stopped reader costs at most 4 MB, and learns of lost lines when it reads again', async () => {
    const { stdout } = await start('pipe', { octetsOfLine: 64 * KILOBYTE });
    const counts = await logUntil(8, ({ dropped }) => dropped > 32);
    expect(Math.max(...counts.map(({ waiting }) => waiting))).toBeLessThan(5 * KILOBYTE ** 2);

    let text = '';
    stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await logUntil(0, ({ waiting }) => waiting === 0);
    const { dropped } = await log(1);
    while (!/lines of this log were dropped"}\n/.test(text)) await once(stdout!, 'data');
    expect(parseLines(text)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        dropped,
        reason: 'the reader of the log is not reading',
      }),
    );
  });
});

describe('a log on a disk that is full', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonewright-log-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('with free space again it continues with a whole line, and reports the number of lost lines', async () => {
    const file = join(folder, 'log');
    const fd = openSync(file, 'a');
    // A file that may not grow behaves like a full disk: the last write stores only a part of its data.
    await start(fd, { shell: 'ulimit -f 16;', octetsOfLine: 1000 });
    closeSync(fd);
    const { logged, dropped } = await log(20);
    expect(dropped).toBeGreaterThan(0);
    const before = readFileSync(file, 'utf8');
    expect(before).not.toMatch(/\n$/);

    truncateSync(file);
    await log(1);
    await log(1);
    const lines = parseLines(before + readFileSync(file, 'utf8'));
    const numbers = lines.flatMap(({ number }) => number ?? []);
    expect(numbers).toHaveLength(logged - dropped + 2);
    expect(numbers.slice(-2)).toEqual([logged + 1, logged + 2]);
    expect(lines.filter(({ msg }) => msg === 'lines of this log were dropped')).toMatchObject([
      { level: 'warn', dropped, reason: 'EFBIG' },
    ]);
  });
});

it('with a pipe as the log, require() can still follow symbolic links, as pnpm uses them', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'zonewright-linked-')));
  try {
    const real = join(folder, 'linked-1.0.0');
    await mkdir(real);
    await mkdir(join(folder, 'node_modules'));
    await Promise.all([
      symlink(real, join(folder, 'node_modules', 'linked')),
      writeFile(join(real, 'package.json'), '{"main":"./main.cjs"}'),
      writeFile(join(real, 'main.cjs'), ''),
      writeFile(join(folder, 'program.cjs'), ''),
    ]);
    const args = [LINKED, join(folder, 'program.cjs'), 'linked'];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stdout).toBe(join(real, 'main.cjs'));
  } finally {
    await rm(folder, { recursive: true });
  }
});
