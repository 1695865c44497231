import type { Logger } from '@zonewright/service-kit';
import { openRedis, reviveRedis } from '@zonewright/service-kit/redis';
import type { Redis } from 'ioredis';

interface RedisConnectionOptions {
  readonly url: string;
  readonly keyPrefix: string;
  readonly log: Logger;
}

/** Time limit of commands. Redis only improves speed, so requests must not wait for it. */
const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
/** Time that ioredis waits for a lost connection to close, even if it is already closed. It must not delay an exit. */
const DISCONNECT_TIMEOUT_MS = 200;
const MAX_RECONNECT_DELAY_MS = 500;
const HEARTBEAT_INTERVAL_MS = 250;

/**
 * Connection to Redis. While it is down, commands fail at once, so that callers can continue without Redis. It
 * reconnects automatically.
 */
export class RedisConnection {
  readonly client: Redis;
  readonly #keyPrefix: string;
  readonly #log: Logger;
  readonly #readyHandlers: (() => void)[] = [];
  #runId: string | undefined;
  #serverId: string | undefined;
  #isEvicting = false;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor({ url, keyPrefix, log }: RedisConnectionOptions) {
    this.#keyPrefix = keyPrefix;
    this.#log = log;
    this.client = openRedis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      disconnectTimeout: DISCONNECT_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 50, MAX_RECONNECT_DELAY_MS),
    });
    this.client.on('error', (error: Error) => {
      log.warn({ err: error }, 'Redis is not available');
    });
    this.client.on('close', () => {
      this.#runId = undefined;
      this.#serverId = undefined;
      this.#isEvicting = false;
    });
    this.client.on('ready', () => {
      void this.#identifyServer();
    });
  }

  /** Starts to connect. A failure is logged, and the connection is retried. */
  start(): void {
    this.client.connect().catch(() => undefined);
    this.#heartbeat = setInterval(() => {
      this.#beat();
    }, HEARTBEAT_INTERVAL_MS);
    this.#heartbeat.unref();
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    this.client.disconnect();
  }

  /** Calls `handler` whenever the connection is established. */
  onReady(handler: () => void): void {
    this.#readyHandlers.push(handler);
  }

  get isReady(): boolean {
    return this.client.status === 'ready';
  }

  /**
   * Identifies the run of the server. Undefined if it is unknown, or if the server may evict keys. It changes when the
   * server restarts, a replica takes over or keys were evicted, so data written under another id may be outdated. A
   * server's settings can change while it runs, so each heartbeat reads them again.
   */
  get serverId(): string | undefined {
    return this.#serverId;
  }

  /**
   * Identifies the run of the server that this client is connected to. Only clients of the same run receive each
   * other's messages.
   */
  get runId(): string | undefined {
    return this.#runId;
  }

  /** Returns the full name of a key or channel. */
  name(rest: string): string {
    return this.#keyPrefix + rest;
  }

  /**
   * Checks that the server answers. A server that accepts connections but does not answer would delay each request by
   * several command timeouts. It counts as unavailable until it answers on a new connection.
   */
  #beat(): void {
    reviveRedis(this.client);
    if (!this.isReady) return;
    this.client.info().then(
      (info) => {
        this.#judge(info);
      },
      () => {
        if (this.isReady) this.client.disconnect(true);
      },
    );
  }

  async #identifyServer(): Promise<void> {
    try {
      this.#judge(await this.client.info());
      for (const handler of this.#readyHandlers) handler();
    } catch (error) {
      // Nothing to do: either the next command fails, too, or the next connection works.
      this.#log.warn({ err: error }, 'Redis did not report its identity');
    }
  }

  #judge(info: string): void {
    if (!this.isReady) return;
    const isEvicting = evictsKeys(info);
    if (isEvicting && !this.#isEvicting) {
      this.#log.warn(
        'Redis evicts keys (maxmemory-policy): the state of tokens is read from PostgreSQL instead',
      );
    }
    this.#isEvicting = isEvicting;
    this.#runId = runIdOf(info);
    this.#serverId = isEvicting ? undefined : serverIdOf(info);
  }
}

function runIdOf(info: string): string | undefined {
  return /^run_id:(\w+)/m.exec(info)?.[1];
}

function serverIdOf(info: string): string | undefined {
  const runId = runIdOf(info);
  const evicted = /^evicted_keys:(\d+)/m.exec(info)?.[1] ?? '0';
  return runId === undefined || evicted === '0' ? runId : `${runId}:${evicted}`;
}

function evictsKeys(info: string): boolean {
  const hasMaximum = /^maxmemory:[1-9]/m.test(info);
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  return hasMaximum && policy !== 'noeviction';
}
