import { it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** Debian's own Python: its packages are not for another one. */
export const PYTHON = '/usr/bin/python3';
/** Some of these programs take many seconds to load. */
export const FOREIGN_TIMEOUT_MS = 120_000;

/** Runs a program of somebody else, which sees nothing of this environment. */
export function runForeign(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: FOREIGN_TIMEOUT_MS,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
  });
  return { status, stdout, stderr };
}

/** `it` where somebody else's program is installed; where not, its tests are skipped, with a line. */
export function itWith(program: string, ...args: readonly string[]) {
  if (runForeign(program, args).status === 0) return it;
  process.stderr.write(`SKIPPED: ${[program, ...args].join(' ')} does not work here\n`);
  return it.skip;
}
