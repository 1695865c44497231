import { readPostgresUrl } from '@zonewright/service-kit';
import type { Knex } from 'knex';
import pg from 'pg';
import { noteListener } from './connection-counts.js';
import type { Database } from './connection.js';
import { errorCode, SQLSTATE } from './errors.js';

interface ListenerOptions {
  /** postgres://..., the role needs no rights but to connect. */
  readonly url: string;
  readonly applicationName: string;
  readonly channel: string;
  /**
   * Called for each notification, equal ones that arrive together being one, and with undefined after each (re)connection,
   * and when very many arrive together: something may have been missed.
   */
  readonly onNotify: (payload: string | undefined) => void;
  /** Called once when the connection is lost or cannot be made; the listener goes on trying, silently. */
  readonly onError: (error: Error) => void;
}

const RECONNECT_DELAY_MS = 250;
/** A standby refuses LISTEN until it is promoted, which nobody waits for here. */
const STANDBY_DELAY_MS = 30_000;
/** Behind a pooler nothing is ever heard, until somebody changes the URL. */
const POOLER_DELAY_MS = 30_000;
const ANSWER_TIMEOUT_MS = 1_500;
/** A server that has gone would keep us waiting for the end of the connection. */
const GOODBYE_TIMEOUT_MS = 500;
/** Our payloads are shorter. Any login may notify any channel, with 7,999 bytes at a time. */
const LONGEST_PAYLOAD = 512;
/** Different ones of one turn of the event loop; none of our programs sends so many. */
const MAX_AT_ONCE = 1_000;
/** A connection whose other end has silently gone looks quiet: only asking tells. */
const HEARTBEAT_MS = 2_000;

/**
 * Listens on a NOTIFY channel for as long as it runs, over connections of its own: lost ones are replaced.
 * On a standby, where LISTEN is refused, it tries now and then; readers must poll as well.
 */
export class NotificationListener {
  readonly #options: ListenerOptions;
  /** A server each, of which one takes LISTEN; the next one is tried when one is lost. */
  readonly #urls: readonly string[];
  #place = 0;
  /** The one connection in use, from its first attempt to connect to its loss. */
  #client: pg.Client | undefined;
  /** For the next heartbeat, or the next attempt to connect. */
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isListening = false;
  #isLossReported = false;
  /** Payloads that have arrived in this turn of the event loop. */
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

  /** Whether notifications are arriving now; a connection that died silently is noticed within 4 s. */
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

  /** Work is bounded by what there may be to tell, not by how often it is told. */
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
    'this connection leads to a pooler, where nothing would be heard: let DATABASE_SESSION_URL lead to PostgreSQL itself';
}

/** Whether a connection is a session of PostgreSQL: a pooler names one of its own, and PostgreSQL the one that serves it for now. */
async function hasOwnSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as pg.Client & { readonly processID?: number }).processID;
}

interface Pool {
  acquireConnection(): Promise<pg.Client>;
  releaseConnection(connection: pg.Client): Promise<void>;
}

/** Whether the connections of a database lead through a pooler. */
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
 * NOTIFY channels. A notification only wakes its reader, which then reads what is committed: it carries no
 * content, and losing one costs a poll interval, never a change.
 */
export const CHANNELS = {
  /**
   * Something that identity-service keeps in its cache changed; the payload names the table, and for the state of tokens
   * after a colon the token.
   */
  identity: 'zonewright_identity',
  /** A zone, or what all zones share, changed. */
  dns: 'zonewright_dns',
  /** A nameserver wrote its status row; the payload is its name, and AHEAD_PAYLOAD_END if zones are ahead of the database. */
  nameserverStatus: 'zonewright_nameserver_status',
} as const;

/** End of a payload of nameserverStatus that tells of zones with later serials than the database has. */
export const AHEAD_PAYLOAD_END = ' ahead';

/**
 * Wakes the readers of the feed once this transaction commits; a rollback wakes nobody. To be called in the
 * transaction that set changed_in. `what` is for people who listen: the id of a domain, or the table that all zones
 * show.
 */
export async function announceZoneChange(trx: Database, what: string): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [CHANNELS.dns, what]);
}
