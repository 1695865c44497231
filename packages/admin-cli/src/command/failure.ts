import { errorCode, isDatabaseUnavailable, SQLSTATE } from '@zonewright/database';
import { ServiceError, SettingsError } from '@zonewright/service-kit';
import { CommanderError } from 'commander';
import { EXIT, EXIT_OF_KIND } from './exit-codes.js';

/** How the command ends, and what it says about it. */
export interface Failure {
  readonly exitCode: number;
  /** Each one clear sentence; none when it was said already. */
  readonly sentences: readonly string[];
}

/** Ends a command with a code of its own, after it has said everything itself. */
export class CommandEnd extends Error {
  override readonly name = 'CommandEnd';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** PostgreSQL, appendix A: the schema or a table of it is missing, the database itself, or the login is refused. */
const NO_SCHEMA = new Set(['3F000', '42P01']);
const NO_DATABASE = '3D000';
const LOGIN_REFUSED_CLASS = '28';

/** What went wrong, for a person at a terminal. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return describeCommanderError(error);
  if (error instanceof CommandEnd) return { exitCode: error.exitCode, sentences: [] };
  if (error instanceof SettingsError) {
    return { exitCode: EXIT.usage, sentences: error.problems };
  }
  if (error instanceof ServiceError) {
    return { exitCode: EXIT_OF_KIND[error.kind] ?? EXIT.failed, sentences: [error.message] };
  }
  return describeDatabaseError(error) ?? failed(messageOf(error));
}

/** Commander has written its message, or the help that was asked for, by itself. */
function describeCommanderError(error: CommanderError): Failure {
  const isAnswer = ['commander.helpDisplayed', 'commander.version'].includes(error.code);
  return { exitCode: isAnswer ? EXIT.ok : EXIT.usage, sentences: [] };
}

function describeDatabaseError(error: unknown): Failure | undefined {
  const code = errorCode(error) ?? '';
  if (isDatabaseUnavailable(error)) {
    return {
      exitCode: EXIT.unavailable,
      sentences: [
        `PostgreSQL, where DATABASE_URL says it is, cannot be reached (${code || messageOf(error)})`,
      ],
    };
  }
  if (code === NO_DATABASE || code.startsWith(LOGIN_REFUSED_CLASS)) {
    return {
      exitCode: EXIT.usage,
      sentences: [`PostgreSQL does not accept DATABASE_URL: ${messageOf(error)}`],
    };
  }
  if (NO_SCHEMA.has(code)) {
    return failed('the database has no Zonewright schema of this version: run migrate first');
  }
  if (code === SQLSTATE.insufficientPrivilege) {
    return failed(
      `the login in DATABASE_URL lacks the rights of zonewright_operator: ${messageOf(error)}`,
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
