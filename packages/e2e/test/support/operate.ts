import { expect } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, type RunningPlatform } from './running-platform.js';

/** Runs the operator's command against the platform, with its operator.env, and fails unless it succeeds. */
export function operate({ dataFolder }: RunningPlatform, ...args: string[]): void {
  const env = readFileSync(join(dataFolder, 'operator.env'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const program = join(PROJECT, 'packages/admin-cli/dist/main.js');
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...(Object.fromEntries(env) as Record<string, string>) },
  });
  expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
}
