import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisCluster } from '../settings/redis-url.js';
import { readClusterNodes, type SlotOwner } from './cluster-nodes.js';

/** CRC16 of `token-state`: of all keys with this tag, which all keys here have. */
const SLOT = 6_951;
const ANSWER_TIMEOUT_MS = 1_000;
/** After that a connection to a node that is the owner no more is left, though it does not know of it. */
const WATCH_INTERVAL_MS = 1_000;

type Address = Pick<SlotOwner, 'host' | 'port'>;
type Say = (type: string, error: Error) => void;

/**
 * Connects ioredis to the one node of a cluster that has the slot of our keys, and away from it when another has: as a single
 * server, whose run id says whether what was written there is still believed.
 */
export function clusterConnector({
  nodes,
  ...login
}: RedisCluster): NonNullable<RedisOptions['Connector']> {
  /** By `host:port`. */
  const known = new Map<string, Address>(nodes.map((node) => [`${node.host}:${node.port}`, node]));

  async function ask({ host, port }: Address): Promise<SlotOwner | undefined> {
    const redis = new Redis({
      ...login,
      host,
      port,
      lazyConnect: true,
      enableReadyCheck: false,
      connectTimeout: ANSWER_TIMEOUT_MS,
      commandTimeout: ANSWER_TIMEOUT_MS,
      disconnectTimeout: 1,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    let reason: Error | undefined;
    redis.on('error', (error: Error) => (reason = error));
    try {
      await redis.connect();
      const view = readClusterNodes(String(await redis.cluster('NODES')), SLOT, host);
      for (const node of view.nodes) known.set(`${node.host}:${node.port}`, node);
      return view.owner;
    } catch (error) {
      throw reason ?? error;
    } finally {
      redis.disconnect();
    }
  }

  /** @throws Error when no node that answers knows of one */
  async function findOwner(): Promise<SlotOwner> {
    const answers = await Promise.allSettled([...known.values()].map(ask));
    const owners = answers.flatMap((each) =>
      each.status === 'fulfilled' ? (each.value ?? []) : [],
    );
    const [owner] = owners.toSorted((a, b) => b.epoch - a.epoch);
    if (owner !== undefined) return owner;
    const failed = answers.find((each) => each.status === 'rejected');
    throw failed?.reason ?? new Error('no node of the Redis Cluster has the slot of our keys');
  }

  return class ClusterConnector extends AbstractConnector {
    readonly #retry: RedisOptions['retryStrategy'];
    #timer: NodeJS.Timeout | undefined;
    #asked = 0;
    declare protected stream: Socket;

    constructor(options: unknown) {
      const { disconnectTimeout = 0, retryStrategy } = options as RedisOptions;
      super(disconnectTimeout);
      this.#retry = retryStrategy;
    }

    override async connect(say: Say): Promise<Socket> {
      this.connecting = true;
      const owner = await this.#findOwner(say);
      if (this.#isGivenUp()) throw new Error('Connection is closed.');
      const { host, port } = owner;
      this.stream =
        login.tls === undefined
          ? createConnection({ host, port })
          : connectTls({ ...login.tls, host, port });
      this.stream.once('error', (error) => (this.firstError = error));
      this.#watch(owner);
      return this.stream;
    }

    override disconnect(): void {
      clearInterval(this.#timer);
      super.disconnect();
    }

    /** While nodes were asked. */
    #isGivenUp(): boolean {
      return !this.connecting;
    }

    /** ioredis gives up when this fails, so the trying again is done here. */
    async #findOwner(say: Say): Promise<SlotOwner> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await findOwner();
        } catch (error) {
          const pause = this.#retry?.(attempt);
          if (typeof pause !== 'number') throw error;
          say('error', error as Error);
          await new Promise((resolve) => setTimeout(resolve, pause));
          if (this.#isGivenUp()) throw error;
        }
      }
    }

    /** One node after the other: whoever was cut off from the others may not know that it is the owner no more. */
    #watch({ epoch }: SlotOwner): void {
      clearInterval(this.#timer);
      this.#timer = setInterval(() => {
        const all = [...known.values()];
        const node = all[(this.#asked += 1) % all.length];
        if (node === undefined) return;
        ask(node).then(
          (owner) => {
            if (owner !== undefined && owner.epoch > epoch) this.disconnect();
          },
          () => undefined,
        );
      }, WATCH_INTERVAL_MS);
      this.#timer.unref();
    }
  };
}
