import { ServiceError } from '@zonewright/service-kit';

/**
 * One thing that is wrong with a request, as DNS API s7 shows it. The checks of dns-records give the same
 * shape; this package adds those that need to know other data.
 */
export interface Problem {
  /** The member or parameter; `operations[3].data` in a batch. */
  readonly path: string;
  /** The check that failed. */
  readonly validator: string;
  /** What was wrong, and what would be right. */
  readonly message: string;
}

/** An `invalid` error with all problems of a request. */
export function invalidRequest(
  problems: readonly Problem[],
  subject?: 'zone-name' | 'record-location',
): ServiceError {
  const [first] = problems;
  const message =
    problems.length === 1 && first !== undefined
      ? first.message
      : `The request has ${problems.length} problems; errors lists them.`;
  return new ServiceError('invalid', message, { details: { subject, problems } });
}

/** The problems that an error lists. */
export function problemsOf({ details }: ServiceError): readonly Problem[] {
  return (details as { problems?: readonly Problem[] } | undefined)?.problems ?? [];
}
