import {
  ApiError,
  NotFoundError,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
} from '@zonewright/client';
import { type Failure, InputError, printable } from '@zonewright/terminal';
import { EXIT } from './host.js';
import { PROGRAM } from './user-command.js';

const EXIT_OF_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.usage,
  401: EXIT.refused,
  403: EXIT.refused,
  404: EXIT.notFound,
  409: EXIT.conflict,
  412: EXIT.conflict,
  413: EXIT.conflict,
  429: EXIT.unavailable,
  503: EXIT.unavailable,
};

/** Advice by status, for errors whose message gives none. */
const ADVICE: Readonly<Record<number, string>> = {
  401: `log in again with ${PROGRAM} login`,
  412: 'it was changed in the meantime. Check the current state and repeat the command.',
  413: 'this exceeds a limit of the project; see `zonewright limits`',
};

/** Error for a missing or expired login. */
export class NotLoggedInError extends Error {
  constructor(reason: string) {
    super(`${reason}. Log in with ${PROGRAM} login`);
  }
}

/** Returns the error message for a person at a terminal. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof ApiError) return describeRefusal(error);
  const exitCode = exitCodeOf(error);
  return {
    exitCode,
    sentences: [printable(error instanceof Error ? error.message : String(error))],
  };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof InputError || error instanceof UsageError) return EXIT.usage;
  if (error instanceof NotLoggedInError) return EXIT.refused;
  if (error instanceof NotFoundError) return EXIT.notFound;
  const isAway = error instanceof UnreachableError || error instanceof UnknownOutcomeError;
  return isAway ? EXIT.unavailable : EXIT.failed;
}

function describeRefusal({ status, message, problems, requestId }: ApiError): Failure {
  const advice = ADVICE[status];
  const reasons = problems.map((problem) => problem.message);
  const sentences = reasons.length === 0 ? [message] : reasons;
  const isFault = status >= 500 && requestId !== undefined;
  return {
    exitCode: EXIT_OF_STATUS[status] ?? EXIT.failed,
    sentences: [
      ...sentences.map(printable),
      ...(advice === undefined ? [] : [advice]),
      ...(isFault ? [`request ID for the operator: ${requestId}`] : []),
    ],
  };
}
