import { expect } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, type RunningPlatform } from './running-platform.js';

/** Returns the variables of operator.env, which admin-cli needs. */
export function readOperatorEnvironment({ dataFolder }: RunningPlatform): Record<string, string> {
  const lines = readFileSync(join(dataFolder, 'operator.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Runs admin-cli against the platform. Fails unless it succeeds. */
export function operate(platform: RunningPlatform, ...args: string[]): void {
  const program = join(PROJECT, 'packages/admin-cli/dist/main.js');
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...readOperatorEnvironment(platform) },
  });
  expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
}
