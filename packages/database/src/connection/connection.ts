import { once } from 'node:events';
import { readPostgresUrl, type StatementObserver, withUrlParameter } from '@zonewright/service-kit';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { MIGRATIONS } from '../migrations/index.js';
import { noteDatabase, noteRefusals } from './connection-counts.js';
import { errorCode, SchemaBehindError, SQLSTATE } from './errors.js';
import { noteRefusedWrites, refusedWrites, ServerChoice } from './servers.js';

/** A knex instance or transaction, the first parameter of every store function. */
export type Database = Knex;

/** The PostgreSQL role of each program, with only the privileges that it needs (migration 0003). */
export const DATABASE_ROLES = {
  identityService: 'zonewright_identity',
  dnsApi: 'zonewright_dns_api',
  nameserver: 'zonewright_nameserver',
  signer: 'zonewright_signer',
  operator: 'zonewright_operator',
} as const;

export type DatabaseRole = (typeof DATABASE_ROLES)[keyof typeof DATABASE_ROLES];

interface ConnectionOptions {
  /** The URL, as postgres://user:password@host:port/database; it can name several servers (readPostgresUrl). */
  readonly url: string;
  /** The name shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly maxConnections: number;
  /** The timeout of an attempt to connect, in milliseconds. The default is 1500. */
  readonly connectTimeoutMs?: number;
  /** The time that a request waits for a free connection, in milliseconds. The default is 2000. */
  readonly acquireTimeoutMs?: number;
  /** The statement timeout in milliseconds. The default is 10000. */
  readonly statementTimeoutMs?: number;
  /**
   * Whether a named statement is planned once per connection, regardless of its values and of later growth of the
   * tables. The default is false.
   */
  readonly plansOnce?: boolean;
  /**
   * Whether the URL leads through a pooler that can assign each transaction to another session. A session then keeps
   * nothing between transactions, and the pooler limits the duration of statements. The default is false.
   */
  readonly isPooled?: boolean;
  /**
   * Whether the first connection checks that the database has the migrations of this program. Until it has them,
   * connections fail with SchemaBehindError. The default is false.
   */
  readonly requiresSchema?: boolean;
  /** Called for each statement, including BEGIN and COMMIT. */
  readonly observer?: StatementObserver | undefined;
  /** Called for each new connection before its first use. */
  readonly onConnect?: (() => void) | undefined;
}

/** The time limit of an attempt to connect, after which PostgreSQL counts as unreachable. */
const CONNECT_TIMEOUT_MS = 1_500;

/** PostgreSQL itself ends a slow statement. This timeout is for a silent network. */
const ANSWER_GRACE_MS = 1_000;

/** bigint columns are serials, positions and counters, all far below 2^53. */
const BIGINT = pg.types.builtins.INT8;

/**
 * Opens a pool of connections. It connects on first use, so a service starts without its database and reports itself
 * not ready. Broken connections are detected before they are used. A statement without any response fails a second
 * after its timeout.
 */
export function openDatabase(options: ConnectionOptions): Database {
  const { observer, statementTimeoutMs = 10_000, isPooled = false } = options;
  let isSchemaChecked = options.requiresSchema !== true;
  // A pooler refuses these options.
  const servers = new ServerChoice(isPooled ? options.url : withSignsOfLife(options.url));
  const settings = {
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    // A pooler refuses these session parameters.
    ...(isPooled ? {} : sessionLimits(statementTimeoutMs)),
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_GRACE_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  } as Omit<pg.ClientConfig, 'connectionString'>;
  const db = knex.default({
    client: 'pg',
    connection: { ...settings, connectionString: servers.only } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: options.maxConnections,
      idleTimeoutMillis: 30_000,
      // A failed attempt to connect is reported at once instead of being repeated until the timeout.
      propagateCreateError: true,
      validate: isReadyForQuery,
      afterCreate: (connection: pg.Client, ready: (error: unknown) => void) => {
        prepare(connection).then(() => {
          ready(null);
        }, ready);
      },
    },
    acquireConnectionTimeout: options.acquireTimeoutMs ?? 2_000,
    // Values of statements may be secrets such as password hashes, so messages do not contain them.
    compileSqlOnError: false,
    // The caller gets the error of a lost connection, so knex does not log it.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
  async function prepare(connection: pg.Client): Promise<void> {
    options.onConnect?.();
    if (!isSchemaChecked) {
      await requireSchemaOrEnd(connection);
      isSchemaChecked = true;
    }
    noteRefusals(connection);
    if (isPooled) withoutNames(connection);
    if (observer !== undefined) observeStatements(connection, observer);
    if (servers.takesWrites) noteRefusedWrites(connection);
    if (options.plansOnce === true) await connection.query(PLAN_ONCE);
  }
  if (servers.isChoice) chooseServer(db, servers, settings);
  noteDatabase(db);
  return db;
}

/** A connection that could not be prepared is removed from the pool. */
async function requireSchemaOrEnd(connection: pg.Client): Promise<void> {
  try {
    await requireSchema(connection);
  } catch (error) {
    connection.end().catch(ignore);
    throw error;
  }
}

/**
 * Limit of the time that a transaction may wait for its program, in addition to the statement timeout. An import that
 * runs beside many others needs part of this time. Statements that wait for its locks have failed by then.
 */
const IDLE_GRACE_MS = 20_000;

/**
 * A host that disappears silently holds its locks for at most 8 s with these values. The system's defaults are a
 * quarter of an hour and two hours. tcp_user_timeout covers data without acknowledgement, which keepalives do not.
 */
const SIGNS_OF_LIFE = Object.entries({
  tcp_keepalives_idle: 3,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 5,
  tcp_user_timeout: 8_000,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Adds the options to the URL, because options in the URL (withRole) would replace those of the connection. */
function withSignsOfLife(url: string): string {
  const [first = url] = readPostgresUrl(url).urls;
  const own = new URL(first).searchParams.get('options') ?? '';
  return withUrlParameter(url, 'options', `${own} ${SIGNS_OF_LIFE}`.trim());
}

/** Limits a session. The lock timeout ensures that nobody waits longer for a program that is stuck. */
function sessionLimits(statementTimeoutMs: number) {
  const idleMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + IDLE_GRACE_MS;
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleMs,
  };
}

/** The part of knex's client that creates connections for its pool. */
interface Connector {
  connectionSettings: object;
  acquireRawConnection: () => Promise<pg.Client>;
}

/**
 * Connects each new connection to the server that was found for it. knex's function of settings is not used: when its
 * result changes, knex closes all connections of the pool.
 */
function chooseServer(
  db: Database,
  servers: ServerChoice,
  settings: Omit<pg.ClientConfig, 'connectionString'>,
): void {
  const client = db.client as Connector;
  const connect = client.acquireRawConnection.bind(client);
  client.acquireRawConnection = async () => {
    client.connectionSettings = { ...settings, connectionString: await servers.find(settings) };
    return await connect();
  };
}

/** The error of a statement arrives just before the end of its response, usually in the same packet. */
const END_OF_ANSWER_MS = 100;

/** Whether a connection has received the complete response to its last statement. An abandoned one has not. */
async function isReadyForQuery(
  connection: pg.Client & { readonly readyForQuery: boolean },
): Promise<boolean> {
  if (refusedWrites(connection)) return false;
  if (connection.readyForQuery) return true;
  return await once(connection, 'drain', { signal: AbortSignal.timeout(END_OF_ANSWER_MS) }).then(
    () => true,
    () => false,
  );
}

/**
 * A plan made while a table is small must suit a large one, so it uses indexes. Without values the planner cannot
 * estimate rows, so JIT compilation is off. These are not options of the connection, because the URL may already have
 * some (withRole).
 */
const PLAN_ONCE = `
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set jit = off`;

function ignore(): void {
  // Only the loggers of services write to stdout.
}

function parserOf(oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text'): unknown {
  return oid === BIGINT ? Number : (pg.types.getTypeParser(oid, format) as unknown);
}

/**
 * Returns the URL with a role for the whole session. In development and tests one login stands for all programs; in
 * production each has its own.
 */
export function withRole(url: string, role: DatabaseRole): string {
  return withUrlParameter(url, 'options', `-c role=${role}`);
}

/**
 * Requires that a database has the migrations of this program (ADR 0063). Later migrations are allowed.
 *
 * @throws SchemaBehindError
 */
async function requireSchema(connection: pg.Client): Promise<void> {
  const applied = await listApplied(connection);
  const missing = MIGRATIONS.filter(({ name }) => !applied.has(name));
  if (missing.length > 0) throw new SchemaBehindError(missing.map(({ name }) => name));
}

async function listApplied(connection: pg.Client): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await connection.query<{ name: string }>(
      'select m.name from zonewright_migrations as m',
    );
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (errorCode(error) === SQLSTATE.undefinedTable) return new Set();
    throw error;
  }
}

type Done = (error: unknown, result?: unknown) => void;

/** A connection of the driver, with the callback of knex and the promise of runPrepared. */
interface ObservedConnection {
  query(statement: { readonly text: string }, done?: Done): unknown;
}

/**
 * Reports each statement of a new connection to the observer. knex has no events for the responses to BEGIN and
 * COMMIT.
 */
function observeStatements(connection: ObservedConnection, observer: StatementObserver): void {
  const send = connection.query.bind(connection);
  connection.query = (statement, done) => {
    const answered = observer(statement.text);
    if (answered === undefined) return send(statement, done);
    if (done === undefined) {
      const result = send(statement) as Promise<unknown>;
      result.then(() => {
        answered(null);
      }, answered);
      return result;
    }
    return send(statement, (error, result) => {
      answered(error);
      done(error, result);
    });
  };
}

interface Named {
  name?: string;
}

/** The part of a driver's connection that sends statements. */
interface NamingConnection {
  query(statement: Named, ...rest: unknown[]): unknown;
}

/** Disables prepared statements: behind a pooler a name may belong to another session or already exist in this one. */
function withoutNames(connection: object): void {
  const named = connection as NamingConnection;
  const send = named.query.bind(connection);
  named.query = (statement, ...rest) => {
    delete statement.name;
    return send(statement, ...rest);
  };
}
