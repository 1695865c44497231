import type { RedisNode } from '../settings/redis-url.js';
import type { View } from './elected-connector.js';

/**
 * Reads what a sentinel says of the master that it watches.
 *
 * @param master the answer to SENTINEL MASTER: names and values in turns
 * @param others the answer to SENTINEL SENTINELS: the same of each sentinel that it knows
 */
export function readMaster(master: unknown, others: unknown): View {
  const fields = readFields(master);
  const { host, port } = readNode(fields);
  return {
    elected: { host, port, epoch: Number(fields.get('config-epoch')) },
    nodes: (others as unknown[]).map((other) => readNode(readFields(other))),
  };
}

function readFields(answer: unknown): ReadonlyMap<string, string> {
  const texts = (answer as unknown[]).map(String);
  return new Map(texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : [])));
}

function readNode(fields: ReadonlyMap<string, string>): RedisNode {
  return { host: fields.get('ip') ?? '', port: Number(fields.get('port')) };
}
