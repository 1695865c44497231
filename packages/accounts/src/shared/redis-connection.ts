import type { Logger } from '@zonewright/service-kit';
import { openRedis, reviveRedis } from '@zonewright/service-kit/redis';
import type { Redis } from 'ioredis';

interface RedisConnectionOptions {
  readonly url: string;
  readonly keyPrefix: string;
  readonly log: Logger;
}

/** A command that takes longer is given up: what Redis speeds up must not hang on it. */
const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
/** ioredis waits this long for a lost connection to close, even one that has; it must not hold up an exit. */
const DISCONNECT_TIMEOUT_MS = 200;
const MAX_RECONNECT_DELAY_MS = 500;
const HEARTBEAT_INTERVAL_MS = 250;

/**
 * The connection to Redis. Commands fail at once while it is away, so that each user can do without; it comes
 * back by itself.
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
      log.warn({ err: error }, 'Redis is away');
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

  /** Begins to connect; a failure shows in the log and is tried again. */
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

  /** Calls `handler` each time a connection has been made. */
  onReady(handler: () => void): void {
    this.#readyHandlers.push(handler);
  }

  get isReady(): boolean {
    return this.client.status === 'ready';
  }

  /**
   * Which run of which server answers; undefined while unknown, or while that server may drop keys by itself. It
   * changes when the server restarts, a replica takes over or keys were dropped, so what was marked with another id may
   * be outdated. A server's settings can change while it runs, so it is asked again with each heartbeat.
   */
  get serverId(): string | undefined {
    return this.#serverId;
  }

  /** Which run of which server this is connected to; messages are heard by those who are connected to the same. */
  get runId(): string | undefined {
    return this.#runId;
  }

  /** The full name of a key or channel. */
  name(rest: string): string {
    return this.#keyPrefix + rest;
  }

  /**
   * A server that is there but does not answer would cost each request the time of a command, several times over. It
   * is taken as away: a new connection counts only once the server has answered on it.
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
      // The next command to it fails as well, or the next connection tells.
      this.#log.warn({ err: error }, 'Redis did not say who it is');
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
