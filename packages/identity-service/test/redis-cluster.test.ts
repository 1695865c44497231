import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KEY_TAG } from '@zonewright/service-kit/redis';
import {
  describeWithRedis,
  PrivateNetwork,
  PrivateRedisCluster,
  REDIS_FAILOVERS,
  waitFor,
} from '@zonewright/testkit';
import { call, tokenOf } from './client.js';
import { statusOf } from './ends-of-tokens.js';
import { FailoverTally, revokeDuring } from './revoke-during.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilOnRedis,
  waitUntilReady,
} from './use-identity.js';

const identity = useIdentity();
const isDivisible = PrivateNetwork.isPossible();
if (!isDivisible)
  process.stderr.write('SKIPPED (no network namespaces): a Redis Cluster that is divided\n');
const SENTINEL = `zonewright:${KEY_TAG}complete`;

describeWithRedis('A Redis Cluster of six nodes, with TLS and users', () => {
  let network: PrivateNetwork | undefined;
  let cluster: PrivateRedisCluster;
  let replicas: RunningIdentity[];
  let slot: number;

  beforeAll(async () => {
    if (isDivisible) network = await PrivateNetwork.start(6);
    cluster = await PrivateRedisCluster.start(network?.hosts);
    slot = Number(await (await cluster.ownerOf(0)).call('CLUSTER', 'KEYSLOT', KEY_TAG));
    const env = {
      REDIS_URL: cluster.url,
      RATE_LIMITS: 'true',
      RATE_LIMIT_TOKENS_PER_SECOND: '1000',
    };
    replicas = await Promise.all([1, 2].map(() => startIdentity(identity.databaseUrl, { env })));
    await Promise.all(replicas.map(waitUntilReady));
    await Promise.all(replicas.map(waitUntilOnRedis));
    await untilFilled();
  }, 90_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await cluster.stop();
    await network?.stop();
  });

  /** Waits until the node with the slot has all states and reports its own run. */
  async function untilFilled(): Promise<void> {
    await waitFor(async () => {
      const { url = '' } = replicas[0] ?? {};
      await statusOf(url, await tokenOf(url, identity.world.user));
      const owner = await cluster.ownerOf(slot);
      const run = /^run_id:(\w+)/m.exec(await owner.info('server'))?.[1];
      return run !== undefined && (await owner.get(SENTINEL)) === run;
    }, 60_000);
  }

  const kill = () => cluster.failOver(slot, 'SIGKILL');
  const stop = () => cluster.failOver(slot, 'SIGSTOP');
  const divide = () => cluster.divide(slot);
  it.each([
    ['killed', kill],
    ['stopped without closing connections', stop],
    ...(isDivisible ? ([['cut off from the others', divide]] as const) : []),
  ] as const)(
    'when the node with our keys is %s, no revoked token is accepted, and the services switch to its replica',
    async (title, fail) => {
      const tally = new FailoverTally(`Redis Cluster, ${title}`);
      for (let round = 0; round < REDIS_FAILOVERS; round += 1) {
        await tally.add(
          revokeDuring(identity, replicas, async () => {
            await fail();
            await untilFilled();
          }),
        );
        await cluster.bringBack();
      }
      tally.print();
      expect(tally.times).toBe(REDIS_FAILOVERS);
    },
    REDIS_FAILOVERS * 180_000,
  );

  it(
    'when the slot moves to another node, key by key, no revoked token is accepted, and the services follow',
    async () => {
      const tally = new FailoverTally('Redis Cluster, slot moved');
      for (let round = 0; round < REDIS_FAILOVERS; round += 1) {
        await tally.add(
          revokeDuring(identity, replicas, async () => {
            await cluster.moveSlot(slot, async () => {
              const { url = '' } = replicas[0] ?? {};
              expect(await statusOf(url, await tokenOf(url, identity.world.user))).toBe(200);
            });
            await untilFilled();
          }),
        );
      }
      tally.print();
    },
    REDIS_FAILOVERS * 120_000,
  );

  it('all keys of the services are in that slot', async () => {
    const owner = await cluster.ownerOf(slot);
    const { url = '' } = replicas[0] ?? {};
    await call(url, { path: '/v2.0/tenants', token: await tokenOf(url, identity.world.user) });
    const keys = await owner.keys('zonewright:*');
    expect(keys.filter((key) => key.includes('limit')).length).toBeGreaterThan(0);
    expect(keys.filter((key) => !key.includes(KEY_TAG))).toEqual([]);
  });
});
