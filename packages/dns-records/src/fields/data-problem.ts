import { inQuotes } from '../problems/in-quotes.js';
import type { Problem, Validator } from '../problems/problem.js';

/** A problem with a record's `data`; `what` continues the sentence and says what would be right. */
export function dataProblem(data: string, what: string, validator: Validator = 'format'): Problem {
  return { path: 'data', validator, message: `data ${inQuotes(data)} ${what}.` };
}
