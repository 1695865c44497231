// A migrated database of a benchmark's own, on a PostgreSQL that it starts or on that of DATABASE_URL.
import { database, devStack } from './packages.mjs';

/**
 * `redisUrl`: a Redis to use; undefined starts one, where there is a redis-server. Resolves with the database's `url`, `db`,
 * connected to it as its owner, the URL of Redis, and what ends all of it: `stop()` runs what was pushed to `cleanUp`, the
 * last first.
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

/** The same, with a Redis. @throws Error without one. */
export async function startBenchStores(options) {
  const stores = await startBenchDatabase(options);
  if (stores.redisUrl !== undefined) return stores;
  await stores.stop();
  throw new Error('The benchmark needs a Redis: install redis-server or set REDIS_URL.');
}
