import { randomUUID } from 'node:crypto';
import { CHANNELS, type Database, NotificationListener } from '@zonewright/database';
import { BoundedMap, type Logger } from '@zonewright/service-kit';

interface ChangeWatchOptions {
  readonly databaseUrl: string;
  /** For the heartbeats. */
  readonly db: Database;
  readonly log: Logger;
}

/**
 * What NOTIFY names: a table of schema identity, or undefined when anything may have changed unseen. For token_state the name
 * of the token follows, unless it is any of them.
 */
type ChangeHandler = (table: string | undefined, name: string | undefined) => void;

/** Sent for each change of a token's state (migration 0008); alone, by a replica that could not tell Redis of one. */
export const TOKEN_STATE_NOTICE = 'token_state';
const NAME_SEPARATOR = ':';

/** How often it is tried whether announcements still arrive. */
const HEARTBEAT_INTERVAL_MS = 5_000;
const HEARTBEAT = 'heartbeat:';

/**
 * Knows whether what was read from schema identity may still be believed. PostgreSQL announces each change
 * (triggers of migration 0001); each announcement starts a new generation, and what was read in an older one is
 * void. While no connection listens nothing may be believed, and everything is read again. A connection that died
 * without a word (a firewall that forgot it) shows by a heartbeat that does not come back.
 */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions;
  readonly #listener: NotificationListener;
  readonly #handlers: ChangeHandler[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The heartbeat that was sent and has not come back yet. */
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
        log.warn({ err: error }, 'not listening for changes; nothing is cached meanwhile');
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

  /** Of accounts, tenants, catalog, signing keys: all but access keys, which their own API changes often. */
  get accountsGeneration(): number {
    return this.#accountsGeneration;
  }

  /** Of everything that decides whether a credential is right. */
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
      // PostgreSQL is away, which shows in many other places.
      this.#awaitedHeartbeat = undefined;
    }
  }

  #hearHeartbeat(heartbeat: string): void {
    if (heartbeat === this.#awaitedHeartbeat) this.#awaitedHeartbeat = undefined;
  }

  #listenAnew(): void {
    this.#options.log.warn('announcements of changes do not arrive; listening anew');
    this.#isDeaf = true;
    // Not awaited: saying goodbye to a dead connection can take for ever.
    void this.#listener.stop();
    this.#listener.start();
  }

  #change(payload: string | undefined): void {
    const [table, name] = payload?.split(NAME_SEPARATOR, 2) ?? [];
    // The first thing that a new connection tells is that anything may have changed.
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
 * Remembers what was read from PostgreSQL until anything is announced to have changed. Equal reads under way
 * are joined. A value that was being read while a change came in is not believed afterwards, since it carries the
 * generation in which its reading began.
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
