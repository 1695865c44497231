import { it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** Debian's own Python, since its packages do not work with another one. */
export const PYTHON = '/usr/bin/python3';
/** Time limit. Some of these programs take many seconds to load. */
export const TIMEOUT_MS = 120_000;

/** Runs an external program to its end. */
export function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    input,
    timeout: TIMEOUT_MS,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
  });
  return { status, stdout, stderr };
}

/** Whether an external program is installed. If not, a line shows what is skipped. */
export function works(program: string, ...args: readonly string[]): boolean {
  if (run(program, args).status === 0) return true;
  process.stderr.write(`SKIPPED: ${[program, ...args].join(' ')} does not work here\n`);
  return false;
}

/** Returns `it` if the program is installed; otherwise its tests are skipped. */
export const itWith = (program: string, ...args: readonly string[]): typeof it.skip =>
  works(program, ...args) ? it : it.skip;

/** Does the same if all of these are on the path and these shell conditions are true. */
export function itWithAll(
  programs: readonly string[],
  conditions: readonly string[] = [],
): typeof it.skip {
  const all = [...programs.map((program) => `command -v ${program}`), ...conditions];
  const missing = all.filter((condition) => run('/bin/sh', ['-c', condition]).status !== 0);
  if (missing.length === 0) return it;
  process.stderr.write(`SKIPPED: ${missing.join(', ')}: not here\n`);
  return it.skip;
}
