import { readPostgresUrl } from '@zonewright/service-kit';
import type { Knex } from 'knex';
import pg from 'pg';
import { noteListener } from './connection-counts.js';
import type { Database } from './connection.js';
import { errorCode, SQLSTATE } from './errors.js';

interface ListenerOptions {
  /** The URL, postgres://...; the role needs no rights except to connect. */
  readonly url: string;
  readonly applicationName: string;
  readonly channel: string;
  /**
   * Called once for equal notifications that arrive together. Called with undefined after each (re)connection, and when
   * too many arrive together, because some may have been missed.
   */
  readonly onNotify: (payload: string | undefined) => void;
  /** Called once when the connection is lost or cannot be made. The listener continues to try without further calls. */
  readonly onError: (error: Error) => void;
}

const RECONNECT_DELAY_MS = 250;
/** The delay on a standby, which refuses LISTEN until it is promoted. Nothing here waits for a promotion. */
const STANDBY_DELAY_MS = 30_000;
/** The delay behind a pooler, where no notification arrives until somebody changes the URL. */
const POOLER_DELAY_MS = 30_000;
const ANSWER_TIMEOUT_MS = 1_500;
/** The time limit for closing a connection, because a server that has gone would not answer. */
const GOODBYE_TIMEOUT_MS = 500;
/** The maximum length of a payload: ours are shorter, but any login may notify any channel with up to 7,999 bytes. */
const LONGEST_PAYLOAD = 512;
/** The maximum number of different payloads in one turn of the event loop; our programs send fewer. */
const MAX_AT_ONCE = 1_000;
/** The interval of heartbeats. Without one, a connection whose other end has gone looks idle. */
const HEARTBEAT_MS = 2_000;

/**
 * Listens on a NOTIFY channel for as long as it runs. It uses its own connections, and replaces lost ones. A standby
 * refuses LISTEN, so there it only tries again from time to time; readers must poll as well.
 */
export class NotificationListener {
  readonly #options: ListenerOptions;
  /** The URLs of the servers. One of them accepts LISTEN; the next one is tried when a connection is lost. */
  readonly #urls: readonly string[];
  #place = 0;
  /** The current connection, from the first attempt to connect until it is lost. */
  #client: pg.Client | undefined;
  /** The timer for the next heartbeat or the next attempt to connect. */
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isListening = false;
  #isLossReported = false;
  /** The payloads that have arrived in this turn of the event loop. */
  readonly #heard = new Set<string>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#urls = readPostgresUrl(options.url).urls;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    noteListener(1);
    void this.#connect();
  }

  async stop(): Promise<void> {
    if (this.#isStarted) noteListener(-1);
    this.#isStarted = false;
    await this.#letGo();
  }

  /** Whether notifications can arrive now. A connection that dies silently is detected within 4 s. */
  get isListening(): boolean {
    return this.#isListening;
  }

  async #connect(): Promise<void> {
    const { applicationName, channel } = this.#options;
    const client = new pg.Client({
      connectionString: this.#urls[this.#place % this.#urls.length],
      application_name: applicationName,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', (error) => {
      this.#lost(client, error);
    });
    client.on('end', () => {
      this.#lost(client, new Error('the connection was closed'));
    });
    client.on('notification', ({ payload }) => {
      this.#hear(payload ?? '');
    });
    try {
      await client.connect();
      if (!(await hasOwnSession(client))) throw new PoolerError();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    if (this.#client !== client) return;
    this.#isListening = true;
    this.#isLossReported = false;
    this.#awaitHeartbeat(client);
    this.#options.onNotify(undefined);
  }

  /** Collects payloads, so that the work depends on the number of different ones, not on how often they are sent. */
  #hear(payload: string): void {
    if (payload.length > LONGEST_PAYLOAD) return;
    if (this.#heard.size === 0) {
      setImmediate(() => {
        this.#tell();
      });
    }
    if (this.#heard.size <= MAX_AT_ONCE) this.#heard.add(payload);
  }

  #tell(): void {
    const heard = [...this.#heard];
    this.#heard.clear();
    if (!this.#isStarted) return;
    if (heard.length > MAX_AT_ONCE) this.#options.onNotify(undefined);
    else for (const payload of heard) this.#options.onNotify(payload);
  }

  #awaitHeartbeat(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => {
          if (this.#client === client) this.#awaitHeartbeat(client);
        },
        (error: unknown) => {
          this.#lost(client, error as Error);
        },
      );
    }, HEARTBEAT_MS);
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    void this.#letGo();
    this.#place += 1;
    const isStandby =
      this.#urls.length === 1 && errorCode(error) === SQLSTATE.readOnlySqlTransaction;
    this.#timer = setTimeout(() => void this.#connect(), pauseAfter(error, isStandby));
    if (this.#isLossReported) return;
    this.#isLossReported = true;
    this.#options.onError(error);
  }

  async #letGo(): Promise<void> {
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    this.#isListening = false;
    if (client === undefined) return;
    const impatience = setTimeout(() => {
      client.connection.stream.destroy();
    }, GOODBYE_TIMEOUT_MS);
    await client.end().catch(() => undefined);
    clearTimeout(impatience);
  }
}

function pauseAfter(error: Error, isStandby: boolean): number {
  if (error instanceof PoolerError) return POOLER_DELAY_MS;
  return isStandby ? STANDBY_DELAY_MS : RECONNECT_DELAY_MS;
}

class PoolerError extends Error {
  override readonly name = 'PoolerError';
  override readonly message =
    'this connection goes through a connection pooler, which does not support notifications: point DATABASE_SESSION_URL directly to PostgreSQL';
}

/**
 * Returns whether a connection has its own PostgreSQL session. A pooler reports its own process id at the start, and
 * PostgreSQL the one that serves the connection now.
 */
async function hasOwnSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as pg.Client & { readonly processID?: number }).processID;
}

interface Pool {
  acquireConnection(): Promise<pg.Client>;
  releaseConnection(connection: pg.Client): Promise<void>;
}

/** Returns whether the connections of a database lead through a pooler. */
export async function leadsToPooler(db: Knex): Promise<boolean> {
  const pool = db.client as Pool;
  const connection = await pool.acquireConnection();
  try {
    return !(await hasOwnSession(connection));
  } finally {
    await pool.releaseConnection(connection);
  }
}

/**
 * NOTIFY channels. A notification has no content: it only wakes its reader, which then reads the committed data. A lost
 * notification delays a change by one poll interval, but no change is lost.
 */
export const CHANNELS = {
  /**
   * Data in identity-service's cache changed. The payload is the name of the table; for token states, a colon and the
   * token follow.
   */
  identity: 'zonewright_identity',
  /** A zone changed, or data that all zones share. */
  dns: 'zonewright_dns',
  /**
   * A nameserver wrote its status row. The payload is its name, followed by AHEAD_PAYLOAD_END if its zones are ahead of
   * the database.
   */
  nameserverStatus: 'zonewright_nameserver_status',
} as const;

/** The end of a nameserverStatus payload when zones of the nameserver have later serials than the database. */
export const AHEAD_PAYLOAD_END = ' ahead';

/**
 * Wakes the readers of the feed when this transaction commits; a rollback wakes nobody. It must be called in the
 * transaction that sets changed_in. `what` is only for people who read the notifications: a domain's id, or the table
 * that affects all zones.
 */
export async function announceZoneChange(trx: Database, what: string): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [CHANNELS.dns, what]);
}
