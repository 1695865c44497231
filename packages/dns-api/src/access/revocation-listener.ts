import type { Logger } from '@zonewright/service-kit';
import { openRedis, reviveRedis } from '@zonewright/service-kit/redis';
import type { CachedValidator } from './cached-validator.js';

/** Sent when users, roles or the catalog changed: every cached result is invalid. */
const EVERYTHING = '*';
/** Precedes the name of a token whose state has changed. Tokens derived from it change, too. */
const NAME_PREFIX = 'jti:';
const MAX_RECONNECT_DELAY_MS = 1_000;
/**
 * The interval of heartbeats. A Redis that disappeared without closing the connection looks idle, so it must be
 * queried.
 */
const HEARTBEAT_INTERVAL_MS = 250;
const ANSWER_TIMEOUT_MS = 500;
/**
 * Time limit for closing a lost connection. With its default, ioredis would wait longer before it opens another
 * connection.
 */
const DISCONNECT_TIMEOUT_MS = 200;

/**
 * Subscribes to the revocation channel of the identity service and drops the cache entries that a message names. A
 * message is `jti:` and the name of a token or of its origin, the lower-case hex SHA-256 of a token id, or `*`. Without
 * a subscription the validator caches nothing.
 */
export class RevocationListener {
  readonly #redis: ReturnType<typeof openRedis>;
  readonly #channel: string;
  readonly #validator: CachedValidator;
  readonly #log: Logger;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(
    redis: { readonly url: string; readonly keyPrefix: string },
    validator: CachedValidator,
    log: Logger,
  ) {
    this.#channel = `${redis.keyPrefix}revocations`;
    this.#validator = validator;
    this.#log = log;
    this.#redis = openRedis(redis.url, {
      lazyConnect: true,
      // The subscription is made below, so that caching starts only when the server has confirmed it.
      autoResubscribe: false,
      connectTimeout: 1_000,
      commandTimeout: ANSWER_TIMEOUT_MS,
      disconnectTimeout: DISCONNECT_TIMEOUT_MS,
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RECONNECT_DELAY_MS),
    });
  }

  /** Connects in the background and retries. Without a connection the service works, but more slowly. */
  start(): void {
    this.#redis.on('ready', () => {
      void this.#subscribe();
    });
    this.#redis.on('close', () => {
      this.#validator.setHearing(undefined);
    });
    this.#redis.on('error', (error) => {
      this.#log.warn(
        { err: error },
        'no connection to the revocation channel: each request validates its token',
      );
    });
    this.#redis.on('message', (_channel, message) => {
      if (message === EVERYTHING) this.#validator.forgetAll();
      else if (message.startsWith(NAME_PREFIX)) {
        this.#validator.forgetName(message.slice(NAME_PREFIX.length));
      } else this.#validator.forget(message);
    });
    // Failures arrive as 'error' events, and ioredis retries.
    this.#redis.connect().catch(() => undefined);
    this.#heartbeat = setInterval(() => {
      this.#beat();
    }, HEARTBEAT_INTERVAL_MS);
    this.#heartbeat.unref();
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    this.#validator.setHearing(undefined);
    this.#redis.disconnect();
  }

  #beat(): void {
    reviveRedis(this.#redis);
    if (this.#redis.status !== 'ready') return;
    this.#redis.ping().catch(() => {
      if (this.#redis.status !== 'ready') return;
      // A lost connection can take some time to close.
      this.#validator.setHearing(undefined);
      this.#redis.disconnect(true);
    });
  }

  async #subscribe(): Promise<void> {
    try {
      // The query comes first, because a subscribed connection accepts no other commands.
      const runId = /^run_id:(\w+)/m.exec(await this.#redis.info('server'))?.[1];
      await this.#redis.subscribe(this.#channel);
      this.#validator.setHearing(runId);
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot subscribe to revocations');
      this.#redis.disconnect(true);
    }
  }
}
