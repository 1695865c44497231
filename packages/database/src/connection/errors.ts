import { ServiceError } from '@zonewright/service-kit';

/** SQLSTATE codes that stores translate, with the names from PostgreSQL, appendix A. */
export const SQLSTATE = {
  divisionByZero: '22012',
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  checkViolation: '23514',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  undefinedColumn: '42703',
  undefinedTable: '42P01',
  queryCanceled: '57014',
  readOnlySqlTransaction: '25006',
  invalidSchemaName: '3F000',
  diskFull: '53100',
  outOfMemory: '53200',
  tooManyConnections: '53300',
} as const;

/**
 * Classes of SQLSTATE that mean that the database cannot serve now, not that the statement is wrong: connection
 * failures, insufficient resources (53300: too many connections), operator intervention. The last contains 57014, a
 * statement timeout: no statement here is slow by design, so the server is busy.
 */
const UNAVAILABLE_CLASSES = ['08', '53', '57'];
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Errors of the driver and of the pool that have no code. */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout expired|Query read timeout|is not queryable|acquire a connection/i;

/** Returns the SQLSTATE or system error code of a failure, if it has one. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Returns the name of the violated constraint, if there is one. */
export function violatedConstraint(error: unknown): string | undefined {
  const name = (error as { constraint?: unknown } | undefined)?.constraint;
  return typeof name === 'string' ? name : undefined;
}

/**
 * Reports that the database lacks migrations of this program. The program treats it as unavailable until `migrate` has
 * run.
 */
export class SchemaBehindError extends Error {
  constructor(missing: readonly string[]) {
    super(
      `The schema of the database is older than this program. Run migrate. Missing: ${missing.join(', ')}.`,
    );
  }
}

/**
 * Whether tables or migrations are missing, because the database is empty, belongs to another program, or `migrate` has
 * not run.
 */
export function isSchemaMissing(error: unknown): boolean {
  if (error instanceof SchemaBehindError) return true;
  const code = errorCode(error);
  return code === SQLSTATE.undefinedTable || code === SQLSTATE.invalidSchemaName;
}

/** Whether the database is unreachable, overloaded or restarting, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof SchemaBehindError) return true;
  const code = errorCode(error);
  if (code !== undefined && NETWORK_CODES.has(code)) return true;
  // After a failover a connection may still lead to a server that has become a standby.
  if (code === SQLSTATE.readOnlySqlTransaction) return true;
  if (code?.length === 5) return UNAVAILABLE_CLASSES.includes(code.slice(0, 2));
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return (
    error instanceof Error &&
    (UNAVAILABLE_MESSAGES.test(error.message) || error.name === 'KnexTimeoutError')
  );
}

/**
 * Returns the result of `statement`. A violation of one of the named unique constraints becomes a conflict with that
 * constraint's message.
 * @throws ServiceError conflict
 */
export async function orConflict<T>(
  statement: Promise<T>,
  sentences: Readonly<Record<string, string>>,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const sentence = sentences[violatedConstraint(error) ?? ''];
    if (errorCode(error) !== SQLSTATE.uniqueViolation || sentence === undefined) throw error;
    throw new ServiceError('conflict', sentence, { cause: error });
  }
}
