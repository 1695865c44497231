import { errorCode, isDatabaseUnavailable, isSchemaMissing, SQLSTATE } from '@zonewright/database';
import { type ErrorKind, ServiceError, SettingsError } from '@zonewright/service-kit';
import { EXIT, type Failure, InputError } from '@zonewright/terminal';

/** Kinds of failures with a separate exit code. */
const EXIT_OF_KIND: Readonly<Partial<Record<ErrorKind, number>>> = {
  invalid: EXIT.usage,
  'not-found': EXIT.notFound,
  conflict: EXIT.conflict,
  unavailable: EXIT.unavailable,
};

/** The SQLSTATEs (PostgreSQL, appendix A) of a missing database and of a refused login. */
const NO_DATABASE = '3D000';
const LOGIN_REFUSED_CLASS = '28';

/** Describes an error for a person at a terminal. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof InputError) return { exitCode: EXIT.usage, sentences: [error.message] };
  if (error instanceof SettingsError) {
    return { exitCode: EXIT.usage, sentences: error.problems };
  }
  if (error instanceof ServiceError) {
    return { exitCode: EXIT_OF_KIND[error.kind] ?? EXIT.failed, sentences: [error.message] };
  }
  return describeDatabaseError(error) ?? failed(messageOf(error));
}

function describeDatabaseError(error: unknown): Failure | undefined {
  const code = errorCode(error) ?? '';
  if (isSchemaMissing(error)) {
    return failed('the database does not have the schema of this version: run migrate first');
  }
  if (isDatabaseUnavailable(error)) {
    return {
      exitCode: EXIT.unavailable,
      sentences: [
        `PostgreSQL cannot be reached at the address in DATABASE_URL (${code || messageOf(error)})`,
      ],
    };
  }
  if (code === NO_DATABASE || code.startsWith(LOGIN_REFUSED_CLASS)) {
    return {
      exitCode: EXIT.usage,
      sentences: [`PostgreSQL rejected DATABASE_URL: ${messageOf(error)}`],
    };
  }
  if (code === SQLSTATE.insufficientPrivilege) {
    return failed(
      `the login in DATABASE_URL does not have the rights of zonewright_operator: ${messageOf(error)}`,
    );
  }
  return undefined;
}

function failed(sentence: string): Failure {
  return { exitCode: EXIT.failed, sentences: [sentence] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
