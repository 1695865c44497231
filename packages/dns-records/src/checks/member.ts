import type { Problem, Validator } from '../problems/problem.js';

/** A problem with the member `path`, whose name begins the sentence. */
export function memberProblem(path: string, validator: Validator, what: string): Problem {
  return { path, validator, message: `${path} ${what}.` };
}

/** Checks that a required member is a string; `right` completes "write …". */
export function checkRequiredString(path: string, value: unknown, right: string): Problem[] {
  if (value === undefined) {
    return [memberProblem(path, 'required', `is required; write ${right}`)];
  }
  if (typeof value !== 'string') {
    return [memberProblem(path, 'type', `is ${kindOf(value)}; write ${right}`)];
  }
  return [];
}

/** Kind of a JSON value, with its article, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
