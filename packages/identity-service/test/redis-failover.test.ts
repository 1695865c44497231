import { afterAll, beforeAll, it } from '@jest/globals';
import {
  describeWithRedis,
  PrivateNetwork,
  PrivateRedis,
  REDIS_FAILOVERS,
  waitFor,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { tokenOf } from './client.js';
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
/**
 * The time limit of a failover: sentinels take a second to notice a failure, and some time to agree. A sentinel that
 * could not run for 2 s does nothing for 30 s (TILT).
 */
const FAILOVER_WITHIN_MS = 90_000;
const isDivisible = PrivateNetwork.isPossible();
if (!isDivisible)
  process.stderr.write('SKIPPED (no network namespaces): a Redis with sentinels that is divided\n');

describeWithRedis('A Redis behind three sentinels', () => {
  let network: PrivateNetwork | undefined;
  let servers: PrivateRedis[];
  let sentinels: PrivateRedis[];
  let replicas: RunningIdentity[];

  beforeAll(async () => {
    if (isDivisible) network = await PrivateNetwork.start(3);
    // There is a sentinel on each host, and a server on two of them.
    const hosts = network?.hosts ?? [];
    const master = await PrivateRedis.startAt(hosts[0]);
    servers = [master, await master.startReplica(hosts[1])];
    sentinels = await Promise.all(
      [0, 1, 2].map((at) => PrivateRedis.startSentinel(master, hosts[at])),
    );
    // Each sentinel must know the others and the replica before anything fails.
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
    await network?.stop();
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
  /** Cuts a server off. Its clients can still reach it, and so can the sentinel beside it. */
  const divide = async (server: PrivateRedis) => {
    const own = hostOf(server);
    own?.cutFrom(...(network?.hosts ?? []).filter((host) => host !== own));
    return Promise.resolve();
  };
  const unite = async (server: PrivateRedis) => {
    hostOf(server)?.mend();
    return Promise.resolve();
  };
  const hostOf = (server: PrivateRedis) =>
    network?.hosts.find(({ address }) => server.address.startsWith(`${address}:`));
  it.each([
    // This case comes first, while the sentinel that is cut off is the first of the URL.
    ...(isDivisible ? ([['cut off with a sentinel', divide, unite]] as const) : []),
    ['killed', (server: PrivateRedis) => server.kill(), (server: PrivateRedis) => server.resume()],
    ['stopped without closing connections', stop, goOn],
  ] as const)(
    'when the master is %s, no revoked token is accepted, and the service switches to the replica',
    async (title, fail, bringBack) => {
      const tally = new FailoverTally(`Redis with sentinels, ${title}`);
      for (let round = 0; round < REDIS_FAILOVERS; round += 1) {
        const [first, second] = servers as [PrivateRedis, PrivateRedis];
        const [master, replica] = (await isMaster(first)) ? [first, second] : [second, first];
        await tally.add(
          revokeDuring(identity, replicas, async () => {
            await fail(master);
            await waitFor(() => isMaster(replica), FAILOVER_WITHIN_MS);
            // The services work on the new master for a second.
            await Promise.all(replicas.map(waitUntilOnRedis));
          }),
        );
        await waitFor(() => isFilled(replica), FAILOVER_WITHIN_MS);
        await bringBack(master);
        // The sentinels turn it into a replica of the other server.
        await waitFor(async () => !(await isMaster(master)), FAILOVER_WITHIN_MS);
        await Promise.all(
          sentinels.map((each) => waitFor(() => knowsAll(each), FAILOVER_WITHIN_MS)),
        );
      }
      tally.print();
    },
    REDIS_FAILOVERS * 300_000,
  );

  async function isFilled(server: PrivateRedis): Promise<boolean> {
    const { url = '' } = replicas[0] ?? {};
    await statusOf(url, await tokenOf(url, identity.world.user));
    // A replica has its master's data, so only data that was written to the server itself counts.
    return await withRedis(server, async (client) => {
      const run = /^run_id:(\w+)/m.exec(await client.info('server'))?.[1];
      return run !== undefined && (await client.get('zonewright:{token-state}:complete')) === run;
    });
  }
});
