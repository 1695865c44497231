import type pg from 'pg';

/**
 * SQLSTATEs by which PostgreSQL says what an operator has to mend (PostgreSQL, appendix A): insufficient resources, errors of the
 * system, no writes, no right.
 */
const OF_OPERATORS = /^(53|58)|^(25006|42501)$/;

/** Last time of each, in milliseconds since 1970, on all connections of this process. */
const lastRefusals = new Map<string, number>();

/** Takes note of statements that PostgreSQL refuses for reasons of its own. */
export function noteRefusals(client: pg.Client): void {
  client.connection.on('errorMessage', ({ code = '' }: { readonly code?: string }) => {
    if (OF_OPERATORS.test(code)) lastRefusals.set(code, Date.now());
  });
}

/** When PostgreSQL refused a statement of this process last, by SQLSTATE. */
export function listRefusals(): ReadonlyMap<string, number> {
  return lastRefusals;
}
