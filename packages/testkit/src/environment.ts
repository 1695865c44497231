/**
 * Environment variables that `npm test` sets for the test files (packages/dev-stack, test-environment). They name a
 * PostgreSQL server, the migrated template on it, and a Redis server if there is one.
 */
export interface TestEnvironment {
  /** URL of a login that may create databases and roles. */
  readonly postgresUrl: string;
  readonly template: string;
  readonly redisUrl: string | undefined;
  /** Folder that the files of one run share. It is removed at the end. */
  readonly folder: string;
}

export const TEST_VARIABLES = {
  postgresUrl: 'ZONEWRIGHT_TEST_POSTGRES_URL',
  template: 'ZONEWRIGHT_TEST_TEMPLATE',
  redisUrl: 'ZONEWRIGHT_TEST_REDIS_URL',
  folder: 'ZONEWRIGHT_TEST_FOLDER',
} as const;

/** @throws Error with the command to use if it did not start the tests */
export function readTestEnvironment(): TestEnvironment {
  const postgresUrl = process.env[TEST_VARIABLES.postgresUrl];
  const template = process.env[TEST_VARIABLES.template];
  const folder = process.env[TEST_VARIABLES.folder];
  if (postgresUrl === undefined || template === undefined || folder === undefined) {
    throw new Error('These tests need PostgreSQL: run them with `npm test -- <jest arguments>`.');
  }
  return { postgresUrl, template, folder, redisUrl: process.env[TEST_VARIABLES.redisUrl] };
}

/** Number of rounds. `npm run test:faults` uses 200; the usual tests use the short form. */
export const FAULT_ROUNDS = Number(process.env['ZONEWRIGHT_FAULT_ROUNDS'] ?? 10);

/** Number of failovers for each fault of Redis. `npm run test:faults` uses 20. */
export const REDIS_FAILOVERS = Number(process.env['ZONEWRIGHT_REDIS_FAILOVERS'] ?? 1);

/**
 * Returns a function for numbers from 0 to 1 that depend only on the seed (mulberry32), so that a failure can be
 * repeated.
 */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the seed of this run and prints it. ZONEWRIGHT_FAULT_SEED sets it. */
export function faultSeed(): number {
  const seed = Number(process.env['ZONEWRIGHT_FAULT_SEED'] ?? Date.now() % 1_000_000);
  process.stdout.write(`ZONEWRIGHT_FAULT_SEED=${seed}\n`);
  return seed;
}
