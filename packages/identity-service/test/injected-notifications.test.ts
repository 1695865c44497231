import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  CHANNELS,
  type Database,
  DATABASE_ROLES,
  openDatabase,
  withRole,
} from '@zonewright/database';
import { describeWithRedis, PrivateRedis } from '@zonewright/testkit';
import { call, expectSoon, tokenOf } from './client.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilReady,
} from './use-identity.js';

const identity = useIdentity();
/** Length of the longest payload that PostgreSQL accepts, in bytes. */
const LONGEST = 7_999;
const FLOOD = 20_000;

// Any PostgreSQL login may notify any channel, for example that of a compromised nameserver.
describeWithRedis('Notifications that a nameserver injects', () => {
  let redis: PrivateRedis;
  let service: RunningIdentity;
  let nameserver: Database;

  beforeAll(async () => {
    redis = await PrivateRedis.start();
    service = await startIdentity(identity.databaseUrl, { env: { REDIS_URL: redis.url } });
    await waitUntilReady(service);
    nameserver = openDatabase({
      url: withRole(identity.databaseUrl, DATABASE_ROLES.nameserver),
      applicationName: 'zonewright-test',
      maxConnections: 1,
      // An attacker would choose the timeout.
      statementTimeoutMs: 0,
    });
  });
  afterAll(async () => {
    await nameserver.destroy();
    await service.stop();
    await redis.stop();
  });

  const statusOf = async (token: string) =>
    (await call(service.url, { path: `/v2.0/tokens/${token}`, token })).status;

  it.each([
    ['names of tables', `'users'`],
    ['no name', `''`],
    ['all tokens', `'token_state'`],
    ['some token', `'token_state:' || i`],
    ['nonsense as long as can be', `rpad('x' || i, ${LONGEST}, 'x')`],
    ['tokens with names as long as can be', `rpad('token_state:' || i, ${LONGEST}, 'x')`],
    ['heartbeats', `'heartbeat:' || i`],
  ])(
    '%s: valid tokens stay valid, revoked ones stay revoked, and other clients are served',
    async (_, payload) => {
      const { rss } = process.memoryUsage();
      const valid = await tokenOf(service.url, identity.world.user);
      const revoked = await tokenOf(service.url, identity.world.user);
      await call(service.url, {
        method: 'DELETE',
        path: `/v2.0/tokens/${revoked}`,
        token: revoked,
      });
      await expectSoon(async () => (await statusOf(revoked)) === 401);

      const state = { isOver: false };
      const flood = nameserver
        .raw(`select count(pg_notify(?, ${payload})) from generate_series(1, ${FLOOD}) as i`, [
          CHANNELS.identity,
        ])
        .finally(() => {
          state.isOver = true;
        });
      const seen = new Set<string>();
      for (let round = 0; round < 20 || !state.isOver; round++) {
        seen.add(`${await statusOf(valid)} ${await statusOf(revoked)}`);
      }
      await flood;
      expect([...seen]).toEqual(['200 401']);
      // Other test files have used this process, too, so only the difference counts.
      expect(process.memoryUsage().rss - rss).toBeLessThan(2 ** 29);
    },
  );
});
