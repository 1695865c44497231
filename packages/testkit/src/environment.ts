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

/** `npm run test:faults` asks for 200; the usual tests do with the short form. */
export const FAULT_ROUNDS = Number(process.env['ZONEWRIGHT_FAULT_ROUNDS'] ?? 10);

/** `npm run test:faults` asks for 20: how often each fault befalls a Redis that fails over. */
export const REDIS_FAILOVERS = Number(process.env['ZONEWRIGHT_REDIS_FAILOVERS'] ?? 1);

/** Numbers from 0 to 1 that a seed repeats (mulberry32): what failed once can be made to fail again. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The seed of this run, printed; ZONEWRIGHT_FAULT_SEED sets it. */
export function faultSeed(): number {
  const seed = Number(process.env['ZONEWRIGHT_FAULT_SEED'] ?? Date.now() % 1_000_000);
  process.stdout.write(`ZONEWRIGHT_FAULT_SEED=${seed}\n`);
  return seed;
}
