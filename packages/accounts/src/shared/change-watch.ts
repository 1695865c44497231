import { randomUUID } from 'node:crypto';
import { CHANNELS, type Database, NotificationListener } from '@zonewright/database';
import { BoundedMap, type Logger } from '@zonewright/service-kit';

interface ChangeWatchOptions {
  readonly databaseUrl: string;
  /** Connection that sends the heartbeats. */
  readonly db: Database;
  readonly log: Logger;
}

/**
 * Receives the content of a NOTIFY: a table of the schema identity, or undefined if changes may have been missed. For
 * token_state, the name of the token follows, unless any token may have changed.
 */
type ChangeHandler = (table: string | undefined, name: string | undefined) => void;

/**
 * Notice of a change of a token's state. Without a name, it comes from a replica that could not write a change to
 * Redis.
 */
export const TOKEN_STATE_NOTICE = 'token_state';
const NAME_SEPARATOR = ':';

/** Interval of the checks whether announcements still arrive. */
const HEARTBEAT_INTERVAL_MS = 5_000;
const HEARTBEAT = 'heartbeat:';

/**
 * Tracks whether data that was read from the schema identity is still valid. PostgreSQL announces each change by
 * triggers. Each announcement starts a new generation, which invalidates everything read in an older one. Without a
 * listening connection, all data is read again. A missing heartbeat reveals a connection that a firewall dropped
 * without notice.
 */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions;
  readonly #listener: NotificationListener;
  readonly #handlers: ChangeHandler[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Heartbeat that was sent and has not returned yet. */
  #awaitedHeartbeat: string | undefined;
  #isDeaf = false;
  #accountsGeneration = 0;
  #credentialsGeneration = 0;

  constructor(options: ChangeWatchOptions) {
    const { databaseUrl, log } = options;
    this.#options = options;
    this.#listener = new NotificationListener({
      url: databaseUrl,
      applicationName: 'zonewright-identity-listen',
      channel: CHANNELS.identity,
      onNotify: (payload) => {
        if (payload?.startsWith(HEARTBEAT) === true) this.#hearHeartbeat(payload);
        else this.#change(payload);
      },
      onError: (error) => {
        log.warn(
          { err: error },
          'cannot listen for changes; nothing is cached until the connection is restored',
        );
      },
    });
  }

  start(): void {
    this.#listener.start();
    this.#timer = setInterval(() => void this.#beat(), HEARTBEAT_INTERVAL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listener.stop();
  }

  /** Calls `handler` after each announcement. */
  onChange(handler: ChangeHandler): void {
    this.#handlers.push(handler);
  }

  get isListening(): boolean {
    return this.#listener.isListening && !this.#isDeaf;
  }

  /** Generation of accounts, tenants, catalog and signing keys. Access keys are excluded, since they change often. */
  get accountsGeneration(): number {
    return this.#accountsGeneration;
  }

  /** Generation of all data that decides whether a credential is correct. */
  get credentialsGeneration(): number {
    return this.#credentialsGeneration;
  }

  async #beat(): Promise<void> {
    if (this.#awaitedHeartbeat !== undefined) this.#listenAnew();
    const heartbeat = HEARTBEAT + randomUUID();
    this.#awaitedHeartbeat = heartbeat;
    try {
      await this.#options.db.raw('select pg_notify(?, ?)', [CHANNELS.identity, heartbeat]);
    } catch {
      // PostgreSQL cannot be reached, which other parts report.
      this.#awaitedHeartbeat = undefined;
    }
  }

  #hearHeartbeat(heartbeat: string): void {
    if (heartbeat === this.#awaitedHeartbeat) this.#awaitedHeartbeat = undefined;
  }

  #listenAnew(): void {
    this.#options.log.warn('notifications of changes do not arrive; connecting again');
    this.#isDeaf = true;
    // The call is not awaited, because closing a dead connection can take a very long time.
    void this.#listener.stop();
    this.#listener.start();
  }

  #change(payload: string | undefined): void {
    const [table, name] = payload?.split(NAME_SEPARATOR, 2) ?? [];
    // The first notice of a new connection means that anything may have changed.
    if (table === undefined) this.#isDeaf = false;
    if (table !== TOKEN_STATE_NOTICE) {
      this.#credentialsGeneration += 1;
      if (table !== 'access_keys') this.#accountsGeneration += 1;
    }
    for (const handler of this.#handlers) handler(table, name);
  }
}

interface Entry<T> {
  readonly generation: number;
  readonly value: Promise<T>;
}

/**
 * Caches data from PostgreSQL until a change is announced. Concurrent reads of one key share a query. A value has the
 * generation at the start of its query, so a change during the query invalidates it.
 */
export class ReadCache<T> {
  readonly #entries: BoundedMap<string, Entry<T>>;
  readonly #watch: ChangeWatch;

  constructor(watch: ChangeWatch, maxEntries: number) {
    this.#watch = watch;
    this.#entries = new BoundedMap(maxEntries);
  }

  async get(key: string, read: () => Promise<T>): Promise<T> {
    if (!this.#watch.isListening) return await read();
    const generation = this.#watch.accountsGeneration;
    const known = this.#entries.get(key);
    if (known?.generation === generation) return await known.value;
    const entry = { generation, value: read() };
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return await entry.value;
  }
}
