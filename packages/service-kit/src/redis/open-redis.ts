import { Redis, type RedisOptions } from 'ioredis';
import {
  readRedisUrl,
  type RedisCluster,
  type RedisLogin,
  type RedisSentinels,
} from '../settings/redis-url.js';
import { electedConnector, type Electorate, readMaster, type View } from './elected-connector.js';

/** Prefix of every key. In a cluster, all keys are on one node, since they are read together. */
export const KEY_TAG = '{token-state}:';

/** CRC16 of `token-state`, the hash tag of all keys. */
const SLOT = 6_951;

/** Errors of a server that no longer serves these keys. */
const NOT_HERE = /^(MOVED|READONLY|CLUSTERDOWN)/;

/** Options for the time while the server is unavailable. */
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

/** Connects to the server of a URL, which may also name sentinels or a cluster. */
export function openRedis(url: string, options: Patience): Redis {
  const address = readRedisUrl(url);
  if ('host' in address) return new Redis({ ...address, ...options });
  const [electorate, login] = 'nodes' in address ? ofCluster(address) : ofSentinels(address);
  return new Redis({
    ...login,
    ...options,
    Connector: electedConnector(electorate, login.tls),
    // Reconnects to find the server that has the keys now.
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

/** Reconnects a client that ioredis has given up, as after a failover during a connection attempt. */
export function reviveRedis(redis: Redis): void {
  if (redis.status === 'end') redis.connect().catch(() => undefined);
}

/**
 * Reads the answer to CLUSTER NODES, a line for each node: `id ip:port@busport[,name] flags primary ping pong epoch
 * link slots...`.
 *
 * @param asked address of the answering node, for a node that does not know its own
 */
export function readClusterNodes(answer: string, slot: number, asked: string): View {
  const lines = answer.split('\n').filter((line) => line !== '');
  const nodes = lines.flatMap((line) => readNode(line, asked) ?? []);
  const elected = nodes.find(({ isPrimary, ranges }) => isPrimary && hasSlot(ranges, slot));
  return { elected, nodes };
}

const LINE = /^\S+ (.*):(\d+)@\S* (\S+) \S+ \S+ \S+ (\d+) \S+ ?(.*)$/;

function readNode(line: string, asked: string) {
  const found = LINE.exec(line);
  if (found === null) return undefined;
  const [, ip, port, flags, epoch, ranges] = found as unknown as string[];
  const all = flags?.split(',') ?? [];
  if (all.includes('noaddr')) return undefined;
  const isPrimary = all.includes('master') && !all.includes('fail');
  const host = ip === '' ? asked : (ip ?? asked);
  return {
    host,
    port: Number(port),
    epoch: Number(epoch),
    isPrimary,
    ranges: ranges?.split(' ') ?? [],
  };
}

/**
 * Whether ranges such as `5` or `0-5460` contain the slot. `[5->-id]` is a slot that is being moved, and is also in the
 * other ranges.
 */
function hasSlot(ranges: readonly string[], slot: number): boolean {
  return ranges.some((range) => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    return from !== undefined && Number(from) <= slot && slot <= Number(to);
  });
}
