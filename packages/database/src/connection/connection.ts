import { once } from 'node:events';
import { readPostgresUrl, type StatementObserver, withUrlParameter } from '@zonewright/service-kit';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { MIGRATIONS } from '../migrations/index.js';
import { noteDatabase } from './connection-counts.js';
import { errorCode, SchemaBehindError, SQLSTATE } from './errors.js';
import { noteRefusedWrites, refusedWrites, ServerChoice } from './servers.js';

/** A knex instance or a transaction: what every store function takes first. */
export type Database = Knex;

/** The PostgreSQL role of each program; each has only the rights that its work needs (migration 0003). */
export const DATABASE_ROLES = {
  identityService: 'zonewright_identity',
  dnsApi: 'zonewright_dns_api',
  nameserver: 'zonewright_nameserver',
  signer: 'zonewright_signer',
  operator: 'zonewright_operator',
} as const;

export type DatabaseRole = (typeof DATABASE_ROLES)[keyof typeof DATABASE_ROLES];

interface ConnectionOptions {
  /** postgres://user:password@host:port/database, or of several servers (readPostgresUrl) */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly maxConnections: number;
  /** How long an attempt to connect may take. Default 1500. */
  readonly connectTimeoutMs?: number;
  /** How long a request waits for a free connection before it fails. Default 2000. */
  readonly acquireTimeoutMs?: number;
  /** How long one statement may take. Default 10000. */
  readonly statementTimeoutMs?: number;
  /** A named statement is planned once for a connection, whatever the values and however tables grow. Default false. */
  readonly plansOnce?: boolean;
  /**
   * The URL leads through a pooler that gives each transaction another session. A session then keeps nothing between
   * transactions, and the pooler limits the duration of statements. Default false.
   */
  readonly isPooled?: boolean;
  /**
   * The first connection checks that the database has the migrations of this program; until it has them, connections
   * are refused with SchemaBehindError. Default false.
   */
  readonly requiresSchema?: boolean;
  /** Called for each statement, including BEGIN and COMMIT. */
  readonly observer?: StatementObserver | undefined;
  /** Called for each connection that is made, before its first use. */
  readonly onConnect?: (() => void) | undefined;
}

/** PostgreSQL is away: nothing listens, or what listened has gone. */
const CONNECT_TIMEOUT_MS = 1_500;

/** PostgreSQL itself ends a statement that takes too long; only a silent network needs our own clock. */
const ANSWER_GRACE_MS = 1_000;

/** bigint columns are serials, positions and counters, all far below 2^53. */
const BIGINT = pg.types.builtins.INT8;

/**
 * A pool of connections. Nothing is connected until it is used, so a service starts, and reports itself not
 * ready, while its database is away. Connections that died are noticed before they are handed out, and a
 * statement that gets no answer at all fails a second after its time is up.
 */
export function openDatabase(options: ConnectionOptions): Database {
  const { observer, statementTimeoutMs = 10_000, isPooled = false } = options;
  let isSchemaChecked = options.requiresSchema !== true;
  // A pooler refuses such options.
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
      // An attempt to connect that failed is reported at once, not repeated until the time is up.
      propagateCreateError: true,
      validate: isReadyForQuery,
      afterCreate: (connection: pg.Client, ready: (error: unknown) => void) => {
        prepare(connection).then(() => {
          ready(null);
        }, ready);
      },
    },
    acquireConnectionTimeout: options.acquireTimeoutMs ?? 2_000,
    // The values of a statement are secrets as often as not (password hashes): messages show it without them.
    compileSqlOnError: false,
    // The caller gets an error for a lost connection, so knex does not log it.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
  async function prepare(connection: pg.Client): Promise<void> {
    options.onConnect?.();
    if (!isSchemaChecked) {
      await requireSchemaOrEnd(connection);
      isSchemaChecked = true;
    }
    if (isPooled) withoutNames(connection);
    if (observer !== undefined) observeStatements(connection, observer);
    if (servers.takesWrites) noteRefusedWrites(connection);
    if (options.plansOnce === true) await connection.query(PLAN_ONCE);
  }
  if (servers.isChoice) chooseServer(db, servers, settings);
  noteDatabase(db);
  return db;
}

/** The pool forgets a connection that could not be prepared. */
async function requireSchemaOrEnd(connection: pg.Client): Promise<void> {
  try {
    await requireSchema(connection);
  } catch (error) {
    connection.end().catch(ignore);
    throw error;
  }
}

/**
 * Longest time that a transaction may wait for its program, beyond the limit of a statement. An import among many
 * others needs part of it. Statements that waited for its locks have given up by then.
 */
const IDLE_GRACE_MS = 20_000;

/**
 * A host that is gone without a word holds locks for 8 s at most. tcp_user_timeout covers data that it has not
 * acknowledged, which keepalives do not. The defaults of the system are a quarter of an hour, or two hours.
 */
const SIGNS_OF_LIFE = Object.entries({
  tcp_keepalives_idle: 3,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 5,
  tcp_user_timeout: 8_000,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Adds the options to the URL, because options that it may have (withRole) would replace those of the connection. */
function withSignsOfLife(url: string): string {
  const [first = url] = readPostgresUrl(url).urls;
  const own = new URL(first).searchParams.get('options') ?? '';
  return withUrlParameter(url, 'options', `${own} ${SIGNS_OF_LIFE}`.trim());
}

/** Nobody waits longer for what a program has locked that stands still. */
function sessionLimits(statementTimeoutMs: number) {
  const idleMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + IDLE_GRACE_MS;
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleMs,
  };
}

/** The part of knex's client that makes the connections of its pool. */
interface Connector {
  connectionSettings: object;
  acquireRawConnection: () => Promise<pg.Client>;
}

/**
 * Has each new connection go to the server that was found for it. Not by knex's function of settings: when that gives
 * others, all connections of the pool are closed.
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

/** The error of a statement comes a moment before the end of its answer, seldom in another packet. */
const END_OF_ANSWER_MS = 100;

/** Whether a connection has had the whole answer to its last statement; one that was given up has not. */
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
 * A plan that was made while a table was small must suit a large one, so it uses indexes. The planner cannot estimate
 * the number of rows without values, so JIT compilation is off. These are not options of the connection, because the
 * URL may already have some (withRole).
 */
const PLAN_ONCE = `
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set jit = off`;

function ignore(): void {
  // Nothing but loggers of services writes to a service's stdout.
}

function parserOf(oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text'): unknown {
  return oid === BIGINT ? Number : (pg.types.getTypeParser(oid, format) as unknown);
}

/**
 * The same URL for a session that acts as `role` from its first statement on: for development and tests, where
 * one login stands for all. In production each program has a login of its own.
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

/** A connection of the driver, as knex calls it, and as runPrepared does, which gets a promise. */
interface ObservedConnection {
  query(statement: { readonly text: string }, done?: Done): unknown;
}

/**
 * Tells the observer of each statement of a new connection. At the connection and not by knex' events: these do not
 * tell when BEGIN and COMMIT are answered.
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

/** A connection of the driver, as far as it is sent statements. */
interface NamingConnection {
  query(statement: Named, ...rest: unknown[]): unknown;
}

/** From now on statements are planned each time: behind a pooler a name may be one of another session, or taken in this one. */
function withoutNames(connection: object): void {
  const named = connection as NamingConnection;
  const send = named.query.bind(connection);
  named.query = (statement, ...rest) => {
    delete statement.name;
    return send(statement, ...rest);
  };
}
