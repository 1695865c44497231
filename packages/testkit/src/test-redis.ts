import { describe, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { readTestEnvironment } from './environment.js';

/** A part of the test run's Redis server that nobody else uses. */
export interface RedisNamespace {
  readonly url: string;
  /** For the setting REDIS_KEY_PREFIX: keys and channels begin with it. */
  readonly prefix: string;
  /** Removes the keys of this namespace. */
  clear(): Promise<void>;
}

/** A new namespace; call it inside describeWithRedis. */
export function createRedisNamespace(): RedisNamespace {
  const { redisUrl } = readTestEnvironment();
  if (redisUrl === undefined) throw new Error('There is no Redis server in this test run.');
  const prefix = `test-${randomBytes(6).toString('hex')}:`;
  return { url: redisUrl, prefix, clear: () => removeKeys(redisUrl, prefix) };
}

/** A suite that needs Redis: skipped, with a visible line, where there is none; with CI=true it fails instead. */
export function describeWithRedis(title: string, suite: () => void): void {
  if (process.env['ZONEWRIGHT_TEST_REDIS_URL'] !== undefined || process.env['CI'] === 'true') {
    describe(title, suite);
    return;
  }
  process.stderr.write(`SKIPPED (no redis-server on PATH): ${title}\n`);
  // The suite itself is not entered: what it sets up may need the server, too.
  describe(title, () => {
    it.skip('needs a redis-server', () => undefined);
  });
}

async function removeKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url);
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
      if ((keys as string[]).length > 0) await redis.unlink(keys as string[]);
    }
  } finally {
    redis.disconnect();
  }
}
