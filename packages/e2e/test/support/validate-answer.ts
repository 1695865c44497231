import type { NameserverAddress } from '@zonewright/testkit';
import { run } from './foreign-programs.js';

export const SECURE = '; fully validated';
export const SECURELY_MISSING = '; negative response, fully validated';

/** What delv, which trusts nothing but what the file says of this zone, makes of a nameserver's answer. */
export function validateAnswer(
  { host, port }: NameserverAddress,
  { file, root }: { readonly file: string; readonly root: string },
  name: string,
  type: string,
): string {
  const server = [`@${host}`, '-p', String(port), '-a', file];
  const { stdout, stderr } = run('delv', [...server, `+root=${root}`, name, type]);
  return stdout + stderr;
}
