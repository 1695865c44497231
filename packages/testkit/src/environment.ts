/**
 * Environment variables that `npm test` sets for the test files (packages/dev-stack, test-environment). They name a
 * PostgreSQL server, the migrated template on it, and a Redis server if there is one.
 */
export interface TestEnvironment {
  /** A login that may create databases and roles. */
  readonly postgresUrl: string;
  readonly template: string;
  readonly redisUrl: string | undefined;
  /** For what the files of one run share; removed at its end. */
  readonly folder: string;
}

export const TEST_VARIABLES = {
  postgresUrl: 'ZONEWRIGHT_TEST_POSTGRES_URL',
  template: 'ZONEWRIGHT_TEST_TEMPLATE',
  redisUrl: 'ZONEWRIGHT_TEST_REDIS_URL',
  folder: 'ZONEWRIGHT_TEST_FOLDER',
} as const;

/** @throws Error that names the command to use when the tests were not started by it. */
export function readTestEnvironment(): TestEnvironment {
  const postgresUrl = process.env[TEST_VARIABLES.postgresUrl];
  const template = process.env[TEST_VARIABLES.template];
  const folder = process.env[TEST_VARIABLES.folder];
  if (postgresUrl === undefined || template === undefined || folder === undefined) {
    throw new Error('These tests need PostgreSQL: run them with `npm test -- <jest arguments>`.');
  }
  return { postgresUrl, template, folder, redisUrl: process.env[TEST_VARIABLES.redisUrl] };
}
