import { Redis, type RedisOptions } from 'ioredis';
import { readRedisUrl } from '../settings/redis-url.js';
import { clusterConnector } from './cluster-connector.js';

/** Before every key: in a cluster one node has all keys of ours, which are read together. */
export const KEY_TAG = '{token-state}:';

/** What a node says to whom it does not serve any more. */
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
  | 'sentinelRetryStrategy'
>;

/** A connection to the server that a URL of Redis, of its sentinels or of a cluster leads to. */
export function openRedis(url: string, options: Patience): Redis {
  const address = readRedisUrl(url);
  if (!('nodes' in address)) return new Redis({ ...address, ...options });
  const { nodes: _, ...login } = address;
  return new Redis({
    ...login,
    ...options,
    Connector: clusterConnector(address),
    // To find the one that does.
    reconnectOnError: ({ message }: Error) => NOT_HERE.test(message),
  });
}

/** ioredis gives a connection up for good where it hears of a failover while it connects: for who wants to go on. */
export function reviveRedis(redis: Redis): void {
  if (redis.status === 'end') redis.connect().catch(() => undefined);
}
