import { inQuotes } from '../problems/in-quotes.js';
import { findNameFaults, isFarTooLong, readLabels } from '../names/name-rules.js';
import type { Problem, Validator } from '../problems/problem.js';
import { checkRequiredString, memberProblem } from './member.js';

const EXAMPLE = 'an absolute name such as "example.com."';

/**
 * Checks a domain's name (D-ZONE), without the public-suffix rule. A valid name is stored in the form that
 * toAsciiDomainName returns.
 */
export function checkDomainName(name: unknown): Problem[] {
  return typeof name === 'string' ? checkText(name) : checkRequiredString('name', name, EXAMPLE);
}

function checkText(name: string): Problem[] {
  if (name === '' || name === '.') {
    return [nameProblem(name, 'minLabels', `has no labels; write ${EXAMPLE}`)];
  }
  return [
    ...(isFarTooLong(name) ? [] : checkAbsolute(name)),
    ...findNameFaults(name).map(({ validator, what }) => nameProblem(name, validator, what)),
    ...(isFarTooLong(name) ? [] : checkLabelCount(name)),
  ];
}

function checkAbsolute(name: string): Problem[] {
  const what = `does not end with a dot; write ${inQuotes(`${name}.`)}`;
  return readLabels(name).absolute ? [] : [nameProblem(name, 'absolute', what)];
}

function checkLabelCount(name: string): Problem[] {
  const what = 'has fewer than two labels; a domain has two or more, such as "example.com."';
  return readLabels(name).labels.length < 2 ? [nameProblem(name, 'minLabels', what)] : [];
}

function nameProblem(name: string, validator: Validator, what: string): Problem {
  return memberProblem('name', validator, `${inQuotes(name)} ${what}`);
}
