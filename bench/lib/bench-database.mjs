// Creates a migrated database for a benchmark, on a PostgreSQL server that it starts or on that of DATABASE_URL.
import { database, devStack } from './packages.mjs';

/**
 * `redisUrl`: a Redis to use. Undefined starts one, if there is a redis-server. Resolves with the database's `url`, with `db`, a connection as its owner, and with the URL of Redis. `stop()` runs the functions in `cleanUp`, the last first.
 */
export async function startBenchDatabase({
  maxConnections,
  redisUrl = process.env.REDIS_URL || undefined,
  isDurable = false,
}) {
  const environment = await devStack.startTestEnvironment({
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl,
    isDurable,
    onProgress: (line) => console.error(line),
  });
  const cleanUp = [() => environment.stop()];
  const stop = async () => {
    while (cleanUp.length > 0) await cleanUp.pop()();
  };
  try {
    const { variables } = environment;
    const { url, drop } = await database.createTestDatabase(
      variables.ZONEWRIGHT_TEST_POSTGRES_URL,
      variables.ZONEWRIGHT_TEST_TEMPLATE,
    );
    cleanUp.push(drop);
    const db = database.openDatabase({
      url,
      applicationName: 'bench',
      maxConnections,
      statementTimeoutMs: 0,
    });
    cleanUp.push(() => db.destroy());
    return { url, db, redisUrl: variables.ZONEWRIGHT_TEST_REDIS_URL, cleanUp, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Does the same with a Redis. @throws Error if there is none */
export async function startBenchStores(options) {
  const stores = await startBenchDatabase(options);
  if (stores.redisUrl !== undefined) return stores;
  await stores.stop();
  throw new Error('The benchmark needs a Redis: install redis-server or set REDIS_URL.');
}
