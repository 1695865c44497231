import { Redis, type RedisOptions } from 'ioredis';
import {
  type RedisCluster,
  type RedisLogin,
  type RedisSentinels,
  readRedisUrl,
} from '../settings/redis-url.js';
import { readClusterNodes } from './cluster-nodes.js';
import { type Electorate, electedConnector } from './elected-connector.js';
import { readMaster } from './sentinel-master.js';

/** Before every key: in a cluster one node has all keys of ours, which are read together. */
export const KEY_TAG = '{token-state}:';

/** CRC16 of `token-state`: of all keys with this tag, which all keys here have. */
const SLOT = 6_951;

/** What a server says to whom it does not serve any more. */
const NOT_HERE = /^(MOVED|READONLY|CLUSTERDOWN)/;

/** How it behaves when something is away. */
type Patience = Pick<
  RedisOptions,
  | 'lazyConnect'
  | 'enableOfflineQueue'
  | 'maxRetriesPerRequest'
  | 'autoResendUnfulfilledCommands'
  | 'autoResubscribe'
  | 'commandTimeout'
  | 'connectTimeout'
  | 'disconnectTimeout'
  | 'retryStrategy'
>;

/** A connection to the server that a URL of Redis, of its sentinels or of a cluster leads to. */
export function openRedis(url: string, options: Patience): Redis {
  const address = readRedisUrl(url);
  if ('host' in address) return new Redis({ ...address, ...options });
  const [electorate, login] = 'nodes' in address ? ofCluster(address) : ofSentinels(address);
  return new Redis({
    ...login,
    ...options,
    Connector: electedConnector(electorate, login.tls),
    // To find the one that does.
    reconnectOnError: ({ message }: Error) => NOT_HERE.test(message),
  });
}

function ofCluster({ nodes, ...login }: RedisCluster): [Electorate, RedisLogin] {
  const ask: Electorate['ask'] = async (redis, { host }) =>
    readClusterNodes(String(await redis.cluster('NODES')), SLOT, host);
  return [{ nodes, login, ask }, login];
}

function ofSentinels(address: RedisSentinels): [Electorate, RedisLogin] {
  const { sentinels: nodes, name, sentinelLogin, ...login } = address;
  const ask: Electorate['ask'] = async (redis) => {
    const [master, others] = await Promise.all([
      redis.call('SENTINEL', 'MASTER', name),
      redis.call('SENTINEL', 'SENTINELS', name),
    ]);
    return readMaster(master, others);
  };
  return [{ nodes, login: sentinelLogin, ask }, login];
}

/** ioredis gives a connection up for good where it hears of a failover while it connects: for who wants to go on. */
export function reviveRedis(redis: Redis): void {
  if (redis.status === 'end') redis.connect().catch(() => undefined);
}
