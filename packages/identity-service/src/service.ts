import { countConnections, type Database, openDatabase } from '@zonewright/database';
import {
  type Clock,
  createLogger,
  createRequestLog,
  type Logger,
  OperationsServer,
  systemClock,
} from '@zonewright/service-kit';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Directory } from './accounts/directory.js';
import { createRequestListener } from './request-listener.js';
import type { Context } from './context.js';
import { RateLimits } from './http/rate-limits.js';
import { createBodyReader } from './http/read-body.js';
import { answerBrokenRequest } from './http/broken-request.js';
import { ChangeWatch } from './infrastructure/change-watch.js';
import { Maintenance } from './infrastructure/maintenance.js';
import { RedisConnection } from './infrastructure/redis-connection.js';
import { RequestMetrics } from './infrastructure/request-metrics.js';
import type { IdentitySettings } from './settings.js';
import { CredentialVerifier } from './tokens/credential-verifier.js';
import { FailedPasswordBudget } from './tokens/failed-password-budget.js';
import { RecentTokens } from './tokens/recent-tokens.js';
import { TokenBodies } from './tokens/token-bodies.js';
import { TokenSigner } from './tokens/token-signer.js';
import { TokenStates } from './tokens/token-states.js';
import { VerifiedCredentials } from './tokens/verified-credentials.js';

/** What tests replace. */
export interface IdentityServiceOverrides {
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** Longer than the idle time of the load balancers in front, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Each statement reads or writes a few rows; a request must be answered, or refused, within 2 s. */
const STATEMENT_TIMEOUT_MS = 900;
/** How exactly the request timeout is kept; Node's default of 30 s would double it. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/** The identity service: HTTP API, operations port, and the connections that they work with. */
export class IdentityService {
  readonly #context: Context;
  readonly #watch: ChangeWatch;
  readonly #redis: RedisConnection | undefined;
  readonly #maintenance: Maintenance;
  readonly #server: Server;
  readonly #operations: OperationsServer;

  private constructor(settings: IdentitySettings, overrides: IdentityServiceOverrides) {
    const clock = overrides.clock ?? systemClock;
    const log = overrides.log ?? createLogger('identity-service', settings.logLevel);
    const db = openIdentityDatabase(settings);
    this.#watch = new ChangeWatch({ databaseUrl: settings.database.url, db, log });
    this.#redis = openRedis(settings, log);
    this.#context = createContext(
      { settings, clock, log, db },
      { watch: this.#watch, redis: this.#redis },
    );
    this.#maintenance = new Maintenance(this.#context);
    const registry = createRegistry(db, this.#redis);
    this.#server = createHttpServer(this.#context, new RequestMetrics(registry));
    this.#operations = new OperationsServer({
      host: settings.http.host,
      port: settings.http.operationsPort,
      registry,
      // Without Redis the service works on PostgreSQL alone, so Redis is not asked about.
      checks: { database: () => this.#context.signer.checkReady() },
    });
  }

  static create(
    settings: IdentitySettings,
    overrides: IdentityServiceOverrides = {},
  ): IdentityService {
    return new IdentityService(settings, overrides);
  }

  /** Listens, whether PostgreSQL and Redis are there or not. @returns the addresses, by name. */
  async start(): Promise<Record<string, string>> {
    const { host, port } = this.#context.settings.http;
    this.#watch.start();
    this.#redis?.start();
    this.#maintenance.start();
    const operationsPort = await this.#operations.start();
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const addresses = {
      http: addressOf(host, (this.#server.address() as AddressInfo).port),
      operations: addressOf(host, operationsPort),
    };
    this.#context.log.info(addresses, 'started');
    return addresses;
  }

  /** Answers what is under way, then gives everything back. */
  async stop(): Promise<void> {
    this.#maintenance.stop();
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeIdleConnections();
    });
    await this.#operations.stop();
    await this.#watch.stop();
    this.#redis?.stop();
    await this.#context.db.destroy();
    this.#context.log.info('stopped');
  }
}

function openIdentityDatabase({ database }: IdentitySettings): Database {
  return openDatabase({
    url: database.url,
    applicationName: 'zonewright-identity',
    maxConnections: database.maxConnections,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
}

function openRedis({ redis }: IdentitySettings, log: Logger): RedisConnection | undefined {
  return redis.url === undefined
    ? undefined
    : new RedisConnection({ url: redis.url, keyPrefix: redis.keyPrefix, log });
}

function createContext(
  basics: Pick<Context, 'settings' | 'clock' | 'log' | 'db'>,
  connections: { readonly watch: ChangeWatch; readonly redis: RedisConnection | undefined },
): Context {
  const { settings, clock, log, db } = basics;
  const { watch, redis } = connections;
  const keyring = settings.encryptionKeys;
  const directory = new Directory(db, watch);
  const signer = new TokenSigner({ db, watch, keyring, clock });
  const tokenStates = new TokenStates({ db, watch, redis, clock, log });
  return {
    ...basics,
    directory,
    signer,
    tokenStates,
    recentTokens: new RecentTokens({ watch, signer, tokenStates }),
    tokenBodies: new TokenBodies(directory),
    verifier: new CredentialVerifier({ db, keyring, clock }),
    verifiedCredentials: new VerifiedCredentials(watch, clock),
    failedPasswords: new FailedPasswordBudget(settings.limits, redis),
    limits: new RateLimits(settings.limits, redis),
  };
}

function createRegistry(db: Database, redis: RedisConnection | undefined): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'identity_redis_ready',
    help: '1 while Redis answers; otherwise limits count in this process alone',
    registers: [registry],
    collect() {
      this.set(redis?.isReady === true ? 1 : 0);
    },
  });
  new Gauge({
    name: 'identity_database_connections',
    help: 'Connections to PostgreSQL in use and free, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(countConnections(db))) this.set({ state }, count);
    },
  });
  return registry;
}

function createHttpServer(context: Context, metrics: RequestMetrics): Server {
  const { maxBodyBytes, requestTimeoutSeconds } = context.settings.http;
  const readBody = createBodyReader(maxBodyBytes);
  const requestTimeout = requestTimeoutSeconds * 1000;
  const options = {
    requestTimeout,
    headersTimeout: requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
  };
  const logRequest = createRequestLog(context.log);
  const listener = createRequestListener({ context, metrics, readBody, logRequest });
  const server = createServer(options, listener);
  server.on('clientError', answerBrokenRequest);
  return server;
}

function addressOf(host: string, port: number): string {
  // A wildcard address can be listened on but not connected to everywhere.
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
