import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import type { RedisLogin, RedisNode } from '../settings/redis-url.js';

const ANSWER_TIMEOUT_MS = 1_000;
/** Interval of checks whether the server is still the master. A replaced master may not know that it was replaced. */
const WATCH_INTERVAL_MS = 1_000;

/** Server that accepts writes, and the vote that elected it. */
interface Elected extends RedisNode {
  /** Number of the vote. If two servers claim to be elected, the higher epoch wins. */
  readonly epoch: number;
}

/** View of one of the queried servers. */
export interface View {
  /** Undefined if no server accepts writes now. */
  readonly elected: Elected | undefined;
  /** All nodes that can be queried later. */
  readonly nodes: readonly RedisNode[];
}

export interface Electorate {
  /** Some of the nodes that can be queried. */
  readonly nodes: readonly RedisNode[];
  readonly login: RedisLogin;
  readonly ask: (redis: Redis, asked: RedisNode) => Promise<View>;
}

type Say = (type: string, error: Error) => void;

/** Nodes that vote. Their answers name further nodes. */
class Electors {
  readonly #electorate: Electorate;
  /** Nodes by `host:port`. */
  readonly #known = new Map<string, RedisNode>();
  #asked = 0;

  constructor(electorate: Electorate) {
    this.#electorate = electorate;
    this.#remember(electorate.nodes);
  }

  /** @throws Error if no node that answers knows an elected server */
  async findElected(): Promise<Elected> {
    const answers = await Promise.allSettled(
      [...this.#known.values()].map((node) => this.#ask(node)),
    );
    const named = answers.flatMap((each) =>
      each.status === 'fulfilled' ? (each.value ?? []) : [],
    );
    const [elected] = named.toSorted((a, b) => b.epoch - a.epoch);
    if (elected !== undefined) return elected;
    const failed = answers.find((each) => each.status === 'rejected');
    throw failed?.reason ?? new Error('no known Redis server accepts writes');
  }

  /** Queries the next node with each call. */
  async askNext(): Promise<Elected | undefined> {
    const all = [...this.#known.values()];
    const node = all[(this.#asked += 1) % all.length];
    return node && (await this.#ask(node));
  }

  async #ask({ host, port }: RedisNode): Promise<Elected | undefined> {
    const { login, ask } = this.#electorate;
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
      const view = await ask(redis, { host, port });
      this.#remember(view.nodes);
      return view.elected;
    } catch (error) {
      throw reason ?? error;
    } finally {
      redis.disconnect();
    }
  }

  #remember(nodes: readonly RedisNode[]): void {
    for (const node of nodes) this.#known.set(`${node.host}:${node.port}`, node);
  }
}

/**
 * Connects ioredis to the elected server, and reconnects when another one is elected. The connection behaves as to a
 * single server, whose run id shows whether earlier writes are still valid. All nodes are queried and the latest vote
 * counts, since a node that was isolated together with a replaced server still names that server.
 *
 * @param tls TLS options of the server
 */
export function electedConnector(
  electorate: Electorate,
  tls: object | undefined,
): NonNullable<RedisOptions['Connector']> {
  const electors = new Electors(electorate);
  return class ElectedConnector extends AbstractConnector {
    readonly #retry: RedisOptions['retryStrategy'];
    #timer: NodeJS.Timeout | undefined;
    declare protected stream: Socket;

    constructor(options: unknown) {
      const { disconnectTimeout = 0, retryStrategy } = options as RedisOptions;
      super(disconnectTimeout);
      this.#retry = retryStrategy;
    }

    override async connect(say: Say): Promise<Socket> {
      this.connecting = true;
      const elected = await this.#findElected(say);
      if (this.#isGivenUp()) throw new Error('Connection is closed.');
      const { host, port } = elected;
      this.stream =
        tls === undefined ? createConnection({ host, port }) : connectTls({ ...tls, host, port });
      this.stream.once('error', (error) => (this.firstError = error));
      this.#watch(elected);
      return this.stream;
    }

    override disconnect(): void {
      clearInterval(this.#timer);
      super.disconnect();
    }

    /** Whether the connection was closed while the nodes were queried. */
    #isGivenUp(): boolean {
      return !this.connecting;
    }

    /** Repeats the attempts, since ioredis stops if this fails. */
    async #findElected(say: Say): Promise<Elected> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await electors.findElected();
        } catch (error) {
          const pause = this.#retry?.(attempt);
          if (typeof pause !== 'number') throw error;
          say('error', error as Error);
          await new Promise((resolve) => setTimeout(resolve, pause));
          if (this.#isGivenUp()) throw error;
        }
      }
    }

    /** Queries one node after the other: an isolated server may not know that it was replaced. */
    #watch({ epoch }: Elected): void {
      clearInterval(this.#timer);
      this.#timer = setInterval(() => {
        electors.askNext().then(
          (elected) => {
            if (elected !== undefined && elected.epoch > epoch) this.disconnect();
          },
          () => undefined,
        );
      }, WATCH_INTERVAL_MS);
      this.#timer.unref();
    }
  };
}

/**
 * Reads the view of a sentinel.
 *
 * @param master answer to SENTINEL MASTER: alternating names and values
 * @param others answer to SENTINEL SENTINELS: the same for each sentinel that it knows
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
