import { Redis, type RedisOptions } from 'ioredis';
import {
  readRedisUrl,
  type RedisCluster,
  type RedisLogin,
  type RedisSentinels,
} from '../settings/redis-url.js';
import { electedConnector, type Electorate, readMaster, type View } from './elected-connector.js';

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

/**
 * Reads the answer to CLUSTER NODES, a line for each node: `id ip:port@busport[,name] flags primary ping pong epoch link slots...`.
 *
 * @param asked where the answer comes from: a node that does not know its own address says none
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

/** `5`, `0-5460`; `[5->-id]` is a slot on its way, which stands among the others as well. */
function hasSlot(ranges: readonly string[], slot: number): boolean {
  return ranges.some((range) => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    return from !== undefined && Number(from) <= slot && slot <= Number(to);
  });
}
