import {
  countConnections,
  countMostConnections,
  listRefusals,
  type Database,
  openDatabase,
  Retention,
} from '@zonewright/database';
import {
  answerBrokenRequest,
  ApiServer,
  listeningUrl,
  RequestGate,
  RequestMetrics,
  serveOperations,
} from '@zonewright/http-api';
import {
  type Clock,
  createLogger,
  type Logger,
  OperationsServer,
  RetentionMetrics,
  type RunnableService,
  systemClock,
  type Tracing,
  ServiceRegistry,
} from '@zonewright/service-kit';
import { Gauge, type Registry } from 'prom-client';
import type { Context } from './context/context.js';
import { representFault, toFault } from './schemas/errors.js';
import { createApi } from './api.js';
import { ReturningClients } from './context/returning-clients.js';
import { LoginOrder } from './context/login-order.js';
import { RateLimits } from './context/rate-limits.js';
import {
  ChangeWatch,
  createTokenServices,
  RedisConnection,
  retentionRules,
} from '@zonewright/accounts';
import type { IdentitySettings } from './context/settings.js';
import { FailedPasswordBudget, PasswordAttempts } from './context/password-attempts.js';
import { TokenAnswers } from './representation/token-answers.js';

/** Objects that main.ts adds and tests replace. */
export interface IdentityServiceOverrides {
  readonly tracing?: Tracing | undefined;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** Time limit of a statement, which reads or writes a few rows. A request must be answered within 2 s. */
const STATEMENT_TIMEOUT_MS = 900;
/** Buckets for durations, from a cached response to a password hash on a busy machine. */
const REQUEST_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Prefix of this service's metrics. */
const METRIC_PREFIX = 'zonewright_identity';

/** Identity service: HTTP API, operations port, and their connections. */
export class IdentityService implements RunnableService {
  readonly #context: Context;
  readonly #watch: ChangeWatch;
  readonly #redis: RedisConnection | undefined;
  readonly #retention: Retention;
  readonly #tracing: Tracing | undefined;
  readonly #server: ApiServer;
  /** Reloads changed certificate files. Undefined without TLS. */
  readonly reload: (() => void) | undefined;
  readonly #operations: OperationsServer;

  private constructor(settings: IdentitySettings, overrides: IdentityServiceOverrides) {
    const clock = overrides.clock ?? systemClock;
    const { tracing } = overrides;
    const log =
      overrides.log ??
      createLogger('identity-service', settings.logLevel, undefined, tracing?.logContext);
    tracing?.reportTo(log);
    this.#tracing = tracing;
    const db = openIdentityDatabase(settings, tracing);
    this.#watch = new ChangeWatch({ databaseUrl: sessionUrlOf(settings), db, log });
    this.#redis = openRedis(settings, log);
    const registry = createRegistry(db, this.#redis);
    this.#context = createContext(
      { settings, clock, log, db },
      { watch: this.#watch, redis: this.#redis, loginOrder: new LoginOrder(registry) },
    );
    this.#retention = createRetention(this.#context, registry);
    const { load } = settings.http;
    const gate = new RequestGate({ load, registry, metricPrefix: METRIC_PREFIX, log });
    this.#server = createApiServer(this.#context, { gate, registry, tracing });
    this.reload = this.#server.reload;
    this.#operations = new OperationsServer({
      host: settings.http.host,
      port: settings.http.operationsPort,
      registry,
      // Readiness does not depend on Redis, since the service can work with PostgreSQL alone.
      checks: { database: () => this.#context.signer.checkReady() },
    });
  }

  static create(
    settings: IdentitySettings,
    overrides: IdentityServiceOverrides = {},
  ): IdentityService {
    return new IdentityService(settings, overrides);
  }

  /** Listens even if PostgreSQL and Redis are unavailable. @returns the addresses by name */
  async start(): Promise<Record<string, string>> {
    const { host, port } = this.#context.settings.http;
    this.#watch.start();
    this.#redis?.start();
    this.#retention.start();
    const operationsPort = await this.#operations.start();
    const apiPort = await this.#server.listen(port, host);
    const addresses = {
      http: listeningUrl(this.#server.scheme, host, apiPort),
      operations: listeningUrl('http', host, operationsPort),
    };
    this.#context.log.info(addresses, 'started');
    return addresses;
  }

  /** Finishes requests in progress, then closes all connections. */
  async stop(): Promise<void> {
    await this.#server.stop();
    await this.#operations.stop();
    await this.#watch.stop();
    this.#redis?.stop();
    await this.#retention.stop();
    await this.#context.db.destroy();
    await this.#tracing?.stop();
    this.#context.log.info('stopped');
  }
}

function openIdentityDatabase(
  { database }: IdentitySettings,
  tracing: Tracing | undefined,
): Database {
  return openDatabase({
    url: database.url,
    applicationName: 'zonewright-identity',
    maxConnections: database.maxConnections,
    requiresSchema: true,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    isPooled: database.sessionUrl !== undefined,
    observer: tracing?.statementObserver(database.url),
  });
}

/** Returns the PostgreSQL URL with sessions, for notifications and for work that takes longer than a request may. */
function sessionUrlOf({ database }: IdentitySettings): string {
  return database.sessionUrl ?? database.url;
}

function openRedis({ redis }: IdentitySettings, log: Logger): RedisConnection | undefined {
  return redis.url === undefined
    ? undefined
    : new RedisConnection({ url: redis.url, keyPrefix: redis.keyPrefix, log });
}

function createContext(
  basics: Pick<Context, 'settings' | 'clock' | 'log' | 'db'>,
  parts: {
    readonly watch: ChangeWatch;
    readonly redis: RedisConnection | undefined;
    readonly loginOrder: LoginOrder;
  },
): Context {
  const { settings, clock, log, db } = basics;
  const { watch, redis, loginOrder } = parts;
  const keyring = settings.encryptionKeys;
  const services = createTokenServices({ db, clock, log, keyring, watch, redis });
  const failedPasswords = new FailedPasswordBudget(settings.limits, redis);
  return {
    ...basics,
    ...services,
    tokenAnswers: new TokenAnswers(services),
    failedPasswords,
    returningClients: new ReturningClients(keyring, clock),
    loginOrder,
    passwordAttempts: new PasswordAttempts(failedPasswords, loginOrder),
    limits: new RateLimits(settings.limits, redis),
  };
}

function createRegistry(db: Database, redis: RedisConnection | undefined): Registry {
  const registry = new ServiceRegistry({
    service: 'identity-service',
    manifest: new URL('../package.json', import.meta.url),
    mostConnections: countMostConnections,
    refusals: listRefusals,
  });
  new Gauge({
    name: 'zonewright_identity_redis_ready',
    help: '1 while Redis responds',
    registers: [registry],
    collect() {
      this.set(redis?.isReady === true ? 1 : 0);
    },
  });
  new Gauge({
    name: 'zonewright_identity_database_connections',
    help: 'Connections to PostgreSQL, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(countConnections(db))) this.set({ state }, count);
    },
  });
  return registry;
}

function createRetention(
  { settings, clock, log }: Pick<Context, 'settings' | 'clock' | 'log'>,
  registry: Registry,
): Retention {
  const rules = retentionRules(settings);
  return new Retention({
    databaseUrl: sessionUrlOf(settings),
    applicationName: 'zonewright-identity-retention',
    schema: 'identity',
    rules,
    metrics: new RetentionMetrics(registry, rules),
    clock,
    log,
  });
}

interface ServerParts {
  readonly gate: RequestGate;
  readonly registry: Registry;
  readonly tracing: Tracing | undefined;
}

function createApiServer(context: Context, { gate, registry, tracing }: ServerParts): ApiServer {
  const { http } = context.settings;
  const metrics = new RequestMetrics({
    registry,
    metricPrefix: METRIC_PREFIX,
    buckets: REQUEST_BUCKETS_SECONDS,
  });
  return new ApiServer({
    listener: serveOperations(createApi(context, { gate, metrics, tracing })),
    answerBroken: answerBrokenRequest((refusal) =>
      representFault(toFault(refusal, ''), '').toJson(),
    ),
    settings: http,
    requestTimeoutMs: http.requestTimeoutSeconds * 1000,
    registry,
    metricPrefix: METRIC_PREFIX,
    log: context.log,
    tracing,
  });
}
