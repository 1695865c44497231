import { ServiceError } from './errors/service-error.js';

/** One thing that is wrong with a request, as DNS API s7 shows it. The checks of dns-records give the same shape. */
export interface Problem {
  /** The member or parameter; `operations[3].data` in a batch. */
  readonly path: string;
  /** The check that failed. */
  readonly validator: string;
  /** What was wrong, and what would be right. */
  readonly message: string;
}

/** Nobody reads more of them, and a large body can have a great many. */
export const MAX_PROBLEMS = 100;

/**
 * An `invalid` error with the problems of a request.
 *
 * @param subject what it is about, where an API has a type of its own for that.
 */
export function invalidRequest(problems: readonly Problem[], subject?: string): ServiceError {
  const [first] = problems;
  const listed = problems.slice(0, MAX_PROBLEMS);
  const which = listed.length < problems.length ? `the first ${MAX_PROBLEMS}` : 'them';
  const message =
    problems.length === 1 && first !== undefined
      ? first.message
      : `The request has ${problems.length} problems; errors lists ${which}.`;
  return new ServiceError('invalid', message, { details: { subject, problems: listed } });
}

/** The problems that an error lists. */
export function problemsOf({ details }: ServiceError): readonly Problem[] {
  return (details as { problems?: readonly Problem[] } | undefined)?.problems ?? [];
}
