import type { Problem } from '../problems/problem.js';
import { kindOf, memberProblem } from './member.js';

/** Checks that a member is an integer of 0 to `maximum`. */
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
