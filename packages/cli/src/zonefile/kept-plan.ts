import { readFileSync } from 'node:fs';
import { InputError } from '@zonewright/terminal';
import { PROGRAM } from '../command/user-command.js';
import { writePrivate } from '../profile/profile-store.js';
import type { Plan, Wish } from './plan.js';

/** A plan that somebody has looked at, to be done as it is or not at all. */
interface KeptPlan {
  readonly zonewrightPlan: 1;
  readonly wish: Wish;
  /** ETag of the domain that was planned. Null if the domain did not exist. */
  readonly ifMatch: string | null;
}

export function keepPlan(file: string, wish: Wish, { etag }: Plan): void {
  const kept: KeptPlan = { zonewrightPlan: 1, wish, ifMatch: etag ?? null };
  writePrivate(file, `${JSON.stringify(kept, undefined, 2)}\n`);
}

/** Reads a file that `plan --out` wrote. Undefined if it is another file. @throws InputError */
export function readKeptPlan(
  file: string,
): { readonly wish: Wish; readonly ifMatch: string | undefined } | undefined {
  if (!file.endsWith('.json')) return undefined;
  let kept: Partial<KeptPlan>;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptPlan>;
  } catch (error) {
    throw new InputError(`${file} cannot be read as a plan: ${(error as Error).message}`);
  }
  if (kept.zonewrightPlan !== 1 || kept.wish === undefined) {
    throw new InputError(`${file} is not a plan file. Create one with \`${PROGRAM} plan --out\`.`);
  }
  return { wish: kept.wish, ifMatch: kept.ifMatch ?? undefined };
}
