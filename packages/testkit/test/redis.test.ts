import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createRedisNamespace, describeWithRedis, PrivateRedis, waitFor } from '../src/index.js';

function connectTo(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  return redis;
}

describeWithRedis('createRedisNamespace', () => {
  it('has a separate prefix, and deletes only the keys under it', async () => {
    const [one, other] = [createRedisNamespace(), createRedisNamespace()];
    expect(one.prefix).not.toBe(other.prefix);
    const redis = connectTo(one.url);
    await redis.mset(`${one.prefix}a`, '1', `${one.prefix}b`, '2', `${other.prefix}a`, '3');
    await one.clear();

    expect(await redis.mget(`${one.prefix}a`, `${one.prefix}b`, `${other.prefix}a`)).toEqual([
      null,
      null,
      '3',
    ]);
    await other.clear();
    await one.clear();
    redis.disconnect();
  });
});

describeWithRedis('PrivateRedis', () => {
  let server: PrivateRedis;

  beforeAll(async () => {
    server = await PrivateRedis.start();
  });
  afterAll(async () => {
    await server.stop();
  });

  it('loses all data when it is killed, and restarts empty on the same port', async () => {
    const { url } = server;
    const before = connectTo(url);
    await before.set('key', 'value');
    await server.kill();
    await waitFor(() => before.status === 'end');
    await expect(before.get('key')).rejects.toThrow();
    // The second time, nothing is left to kill.
    await server.kill();

    await server.resume();
    const after = connectTo(url);
    expect(await after.get('key')).toBeNull();
    after.disconnect();
  });
});
