import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithRedis, PrivateRedis, waitFor } from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { tokenOf } from './client.js';
import { statusOf } from './ends-of-tokens.js';
import { revokeDuring } from './revoke-during.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilOnRedis,
  waitUntilReady,
} from './use-identity.js';

const identity = useIdentity();
/** Sentinels take a second to notice, and some to agree; one that had no turn for 2 s does nothing for 30 s (TILT). */
const FAILOVER_WITHIN_MS = 90_000;

describeWithRedis('A Redis behind three sentinels', () => {
  let servers: PrivateRedis[];
  let sentinels: PrivateRedis[];
  let replicas: RunningIdentity[];

  beforeAll(async () => {
    const master = await PrivateRedis.start();
    servers = [master, await master.startReplica()];
    sentinels = await Promise.all([1, 2, 3].map(() => PrivateRedis.startSentinel(master)));
    // Each must know the others and the replica before anything fails.
    await Promise.all(sentinels.map((sentinel) => waitFor(() => knowsAll(sentinel), 20_000)));
    const REDIS_URL = `redis+sentinel://${sentinels.map(({ address }) => address).join(',')}/main`;
    replicas = await Promise.all(
      [1, 2].map(() => startIdentity(identity.databaseUrl, { env: { REDIS_URL } })),
    );
    await Promise.all(replicas.map(waitUntilReady));
    await Promise.all(replicas.map(waitUntilOnRedis));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await Promise.all([...sentinels, ...servers].map((server) => server.stop()));
  });

  async function withRedis<T>(server: PrivateRedis, work: (client: Redis) => Promise<T>) {
    const client = new Redis(server.url);
    // A server that becomes a replica ends its connections.
    client.on('error', () => undefined);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  }
  async function knowsAll(sentinel: PrivateRedis): Promise<boolean> {
    const info = await withRedis(sentinel, (client) => client.info('sentinel'));
    return /status=ok,.*,slaves=1,sentinels=3/.test(info);
  }
  const isMaster = async (server: PrivateRedis) =>
    (await withRedis(server, (client) => client.info('replication'))).includes('role:master');

  const stop = async (server: PrivateRedis) => {
    server.signal('SIGSTOP');
    return Promise.resolve();
  };
  const goOn = async (server: PrivateRedis) => {
    server.signal('SIGCONT');
    return Promise.resolve();
  };
  it.each([
    ['killed', (server: PrivateRedis) => server.kill(), (server: PrivateRedis) => server.resume()],
    ['stopped without a word', stop, goOn],
  ] as const)(
    'the master is %s: no revoked token is accepted, and the service goes over to the replica',
    async (_, fail, bringBack) => {
      const [first, second] = servers as [PrivateRedis, PrivateRedis];
      const [master, replica] = (await isMaster(first)) ? [first, second] : [second, first];
      const count = await revokeDuring(identity, replicas, async () => {
        await fail(master);
        await waitFor(() => isMaster(replica), FAILOVER_WITHIN_MS);
        // A second of work on the new master.
        await Promise.all(replicas.map(waitUntilOnRedis));
      });
      expect(count).toBeGreaterThan(1);
      await waitFor(async () => {
        const token = await tokenOf(replicas[0]?.url ?? '', identity.world.user);
        await statusOf(replicas[0]?.url ?? '', token);
        return (
          (await withRedis(replica, (client) =>
            client.exists('zonewright:{token-state}:complete'),
          )) === 1
        );
      }, FAILOVER_WITHIN_MS);
      await bringBack(master);
      // The sentinels make it a replica of the other one.
      await waitFor(async () => !(await isMaster(master)), FAILOVER_WITHIN_MS);
      await Promise.all(sentinels.map((each) => waitFor(() => knowsAll(each), FAILOVER_WITHIN_MS)));
    },
    300_000,
  );
});
