import type { Problem } from '../problems/problem.js';
import { MAX_TTL_SECONDS } from '../numbers/ttl.js';
import { checkInteger } from './integer.js';

/** Checks a domain's TTL: an integer of 0 to 2147483647, or absent, not null (D-ZONE-27). */
export function checkTtl(ttl: unknown): Problem[] {
  return ttl === undefined ? [] : checkInteger('ttl', ttl, MAX_TTL_SECONDS);
}
