import { spawnSync } from 'node:child_process';
import type { NameserverAddress } from './dns-client.js';

export const SECURE = '; fully validated';
export const SECURELY_MISSING = '; negative response, fully validated';
const DELV = 'delv';
const TIMEOUT_MS = 20_000;
const TRIES = 3;

export const hasDelv = (): boolean => spawnSync(DELV, ['-v']).error === undefined;

/**
 * Returns the verdict of delv on a nameserver's answer. delv trusts only what the file says of this zone.
 * Sometimes (9.18: once in a thousand times) its threads wait for each other at the end, and it does not write its
 * result. Then the query is repeated.
 */
export function validateAnswer(
  { host, port }: NameserverAddress,
  { file, root }: { readonly file: string; readonly root: string },
  name: string,
  type: string,
): string {
  const args = [`@${host}`, '-p', String(port), '-a', file, `+root=${root}`, name, type];
  for (let tries = 1; ; tries++) {
    const found = spawnSync(DELV, args, { encoding: 'utf8', timeout: TIMEOUT_MS });
    if (found.signal === null || tries === TRIES) return found.stdout + found.stderr;
  }
}
