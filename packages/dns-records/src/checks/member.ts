import { MAX_TTL_SECONDS } from '../values/numbers.js';
import type { Problem, Validator } from '../values/problem.js';

/** Returns a problem with the member `path`, whose name begins the sentence. */
export function memberProblem(path: string, validator: Validator, what: string): Problem {
  return { path, validator, message: `${path} ${what}.` };
}

/** Checks that a required member is a string. `right` completes "write …". */
export function checkRequiredString(path: string, value: unknown, right: string): Problem[] {
  if (value === undefined) {
    return [memberProblem(path, 'required', `is required; write ${right}`)];
  }
  if (typeof value !== 'string') {
    return [memberProblem(path, 'type', `is ${kindOf(value)}; write ${right}`)];
  }
  return [];
}

/** Returns the kind of a JSON value with its article, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Checks that a member is an integer from 0 to `maximum`. */
export function checkInteger(path: string, value: unknown, maximum: number): Problem[] {
  const right = `write an integer from 0 to ${maximum}`;
  if (typeof value !== 'number') {
    return [memberProblem(path, 'type', `is ${kindOf(value)}; ${right}`)];
  }
  if (!Number.isInteger(value)) {
    return [memberProblem(path, 'type', `is ${value}; ${right}`)];
  }
  if (value < 0) {
    return [memberProblem(path, 'minimum', `is ${value}; ${right}`)];
  }
  return value > maximum ? [memberProblem(path, 'maximum', `is ${value}; ${right}`)] : [];
}

/** Checks a domain's TTL: an integer from 0 to 2147483647, or absent, but not null (D-ZONE-27). */
export function checkTtl(ttl: unknown): Problem[] {
  return ttl === undefined ? [] : checkInteger('ttl', ttl, MAX_TTL_SECONDS);
}
