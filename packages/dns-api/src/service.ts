import { type Database, openDatabase, Retention } from '@zonewright/database';
import {
  answerBrokenRequest,
  ApiServer,
  serveOperations,
  listeningUrl,
  RequestGate,
} from '@zonewright/http-api';
import {
  type Clock,
  createLogger,
  type Logger,
  OperationsServer,
  BatchQueues,
  RetentionMetrics,
  type RunnableService,
  systemClock,
  type Tracing,
} from '@zonewright/service-kit';
import { createTokenAccess, type TokenAccess } from './access/token-access.js';
import { SignerClient } from './access/signer-client.js';
import type { TokenValidator } from './access/token-validator.js';
import { ApexRollout } from './jobs/apex-rollout.js';
import type { Context } from './context/context.js';
import { listProcesses } from './context/processes.js';
import { toErrorAnswer } from './settings/errors.js';
import { ParentWatch } from './jobs/parent-watch.js';
import { Expiry } from './jobs/expiry.js';
import { EventStreams } from './context/event-streams.js';
import { NameserverAsker } from './doctor/nameserver-asker.js';
import { Doctor } from './doctor/doctor.js';
import {
  probeZones,
  PublicationWatch,
  RecordsetCounts,
  retentionRules,
  ZoneGroups,
  ZoneNames,
  ZoneReader,
  type ZoneSigner,
} from '@zonewright/zones';
import { createApi } from './api.js';
import { SharedUsage } from './limits/write-budget.js';
import { TransferBudget } from './limits/transfer-budget.js';
import { WriteBudget } from './limits/write-budget.js';
import { createMetrics, METRIC_PREFIX } from './settings/metrics.js';
import { registerNameserverMetrics } from './jobs/nameserver-metrics.js';
import { createQuestionSlots, createTenantShares } from './limits/tenant-shares.js';
import { Compression } from './limits/compression.js';
import { SerialIncreases } from './jobs/serial-increases.js';
import { RenderedLists } from './limits/rendered-lists.js';
import { SecondaryRefresher } from './jobs/refresher.js';
import type { DnsApiSettings } from './settings/settings.js';

/** Dependencies that main.ts provides and tests replace. */
export interface DnsApiOverrides {
  readonly tracing?: Tracing | undefined;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly tokens?: TokenValidator;
  readonly signer?: ZoneSigner;
}

/** The DNS API: domains and records over HTTP. */
export class DnsApiService implements RunnableService {
  readonly #context: Context;
  readonly #access: TokenAccess | undefined;
  readonly #shared: SharedUsage | undefined;
  readonly #server: ApiServer;
  readonly #operations: OperationsServer;
  readonly #retention: Retention;
  readonly #apexRollout: ApexRollout;
  readonly #parents: ParentWatch;
  readonly #secondaries: SecondaryRefresher;
  readonly #expiry: Expiry;
  readonly #serialIncreases: SerialIncreases;
  /** Reloads changed certificate files; undefined without TLS. */
  readonly reload: (() => void) | undefined;

  private constructor(
    context: Context,
    { access, shared }: { access: TokenAccess | undefined; shared: SharedUsage | undefined },
  ) {
    this.#context = context;
    this.#access = access;
    this.#shared = shared;
    this.#server = createApiServer(context);
    this.reload = this.#server.reload;
    this.#retention = createRetention(context);
    this.#apexRollout = new ApexRollout(context);
    this.#parents = new ParentWatch(context);
    this.#secondaries = new SecondaryRefresher(context);
    this.#expiry = new Expiry(context);
    this.#serialIncreases = new SerialIncreases(context);
    registerNameserverMetrics(context);
    this.#operations = new OperationsServer({
      host: context.settings.http.host,
      port: context.settings.http.operationsPort,
      registry: context.metrics.registry,
      checks: {
        database: async () => {
          await probeZones(context.db);
        },
        ...(access === undefined ? {} : { identity: () => access.check() }),
      },
    });
  }

  static create(settings: DnsApiSettings, overrides: DnsApiOverrides = {}): DnsApiService {
    const { tracing } = overrides;
    const log = openLog(settings, overrides);
    const clock = overrides.clock ?? systemClock;
    const db = openZones(settings, tracing);
    const metrics = createMetrics({
      db,
      hearsRevocations: () => access?.hearsRevocations() ?? false,
    });
    const access =
      overrides.tokens === undefined
        ? createTokenAccess(settings, {
            places: createQuestionSlots(settings, metrics),
            clock,
            log,
            tracing,
          })
        : undefined;
    const tokens = overrides.tokens ?? access?.validator;
    if (tokens === undefined) throw new Error('The service has no token validator.');
    const { load } = settings.http;
    const publication = createPublicationWatch(settings, { metrics, log });
    const { statuses } = publication;
    const shared = openSharedDebts(settings, log);
    return new DnsApiService(
      {
        settings,
        db,
        zones: new ZoneReader(db),
        zoneNames: new ZoneNames(db),
        lists: new RenderedLists(clock),
        compression: new Compression(),
        recordsetCounts: new RecordsetCounts(db),
        publication,
        events: new EventStreams({
          db,
          databaseUrl: sessionUrlOf(settings),
          applicationName: 'zonewright-dns-api-events',
          publication,
          clock,
          metrics,
          log,
        }),
        doctor: new Doctor({ settings: settings.check, db, statuses, clock }),
        asker: new NameserverAsker({ settings: settings.check, statuses }),
        tokens,
        processes: listProcesses(settings, access && (() => access.check())),
        ...clientsOf(access),
        signer: overrides.signer ?? openSigner(settings, tracing),
        clock,
        log,
        metrics,
        gate: new RequestGate({
          load,
          registry: metrics.registry,
          metricPrefix: METRIC_PREFIX,
          log,
        }),
        shares: createTenantShares(settings, metrics),
        changes: new BatchQueues(),
        groups: new ZoneGroups(db),
        writes: new WriteBudget({
          db,
          shared,
          octetsPerMinute: settings.rules.maxWriteBytesPerMinute,
          clock,
          log,
        }),
        transfers: new TransferBudget({ shared, clock, log }),
        tracing,
      },
      { access, shared },
    );
  }

  /** Listens at once, even if PostgreSQL, Redis or the identity service is not available yet. */
  async start(): Promise<Record<string, string>> {
    const { http } = this.#context.settings;
    this.#access?.start();
    this.#shared?.start();
    const port = await this.#server.listen(http.port, http.host);
    const operationsPort = await this.#operations.start();
    this.#retention.start();
    this.#apexRollout.start();
    this.#parents.start();
    this.#secondaries.start();
    this.#expiry.start();
    this.#serialIncreases.start();
    this.#context.publication.start();
    this.#context.events.start();
    const addresses = {
      http: listeningUrl(this.#server.scheme, http.host, port),
      operations: listeningUrl('http', http.host, operationsPort),
    };
    this.#context.log.info({ addresses }, 'started');
    return addresses;
  }

  /** Answers the requests that have arrived, accepts no new ones, and releases all resources. */
  async stop(): Promise<void> {
    this.#context.publication.release();
    this.#context.events.release();
    await this.#server.stop();
    await this.#operations.stop();
    this.#access?.stop();
    this.#shared?.stop();
    if (this.#context.signer instanceof SignerClient) this.#context.signer.close();
    await this.#context.events.stop();
    await this.#context.publication.stop();
    await this.#retention.stop();
    await this.#apexRollout.stop();
    await this.#parents.stop();
    await this.#secondaries.stop();
    await Promise.all([this.#expiry.stop(), this.#serialIncreases.stop()]);
    await this.#context.db.destroy();
    await this.#context.tracing?.stop();
    this.#context.log.info('stopped');
  }
}

function openZones({ database }: DnsApiSettings, tracing: Tracing | undefined): Database {
  return openDatabase({
    url: database.url,
    applicationName: 'zonewright-dns-api',
    maxConnections: database.maxConnections,
    requiresSchema: true,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    isPooled: database.sessionUrl !== undefined,
    observer: tracing?.statementObserver(database.url),
  });
}

function createPublicationWatch(
  settings: DnsApiSettings,
  { metrics, log }: Pick<Context, 'metrics' | 'log'>,
): PublicationWatch {
  return new PublicationWatch({
    databaseUrl: sessionUrlOf(settings),
    applicationName: 'zonewright-dns-api-publication',
    log,
    onWaiters: (waiters) => {
      metrics.publicationWaiters.set(waiters);
    },
    onWaited: (outcome, seconds) => {
      metrics.publicationSeconds.observe({ outcome }, seconds);
    },
  });
}

function clientsOf(access: TokenAccess | undefined): Pick<Context, 'tsig' | 'keys'> {
  return { tsig: access?.tsig, keys: access?.keys };
}

function openSigner(
  { signer: { url, secret } }: DnsApiSettings,
  tracing: Tracing | undefined,
): SignerClient | undefined {
  if (url === undefined || secret === undefined) return undefined;
  return new SignerClient({ url, secret, tracing });
}

/** Returns the database URL for long sessions: LISTEN, and work that takes longer than requests may. */
function sessionUrlOf({ database }: DnsApiSettings): string {
  return database.sessionUrl ?? database.url;
}

function openSharedDebts({ redis }: DnsApiSettings, log: Logger): SharedUsage | undefined {
  return redis.url === undefined
    ? undefined
    : new SharedUsage({ url: redis.url, keyPrefix: redis.keyPrefix }, log);
}

function openLog(settings: DnsApiSettings, { log, tracing }: DnsApiOverrides): Logger {
  const opened = log ?? createLogger('dns-api', settings.logLevel, undefined, tracing?.logContext);
  tracing?.reportTo(opened);
  return opened;
}

function createRetention({ settings, metrics, clock, log }: Context): Retention {
  const rules = retentionRules(settings);
  return new Retention({
    databaseUrl: sessionUrlOf(settings),
    applicationName: 'zonewright-dns-api-retention',
    schema: 'dns',
    rules,
    metrics: new RetentionMetrics(metrics.registry, rules),
    clock,
    log,
  });
}

/**
 * The time limit for a connection of the pool. With the connect timeout it stays below the 2 s within which a request
 * is answered even without PostgreSQL.
 */
const ACQUIRE_TIMEOUT_MS = 1_800;

function createApiServer(context: Context): ApiServer {
  const { settings, metrics, log, tracing } = context;
  return new ApiServer({
    listener: serveOperations(createApi(context)),
    answerBroken: answerBrokenRequest((refusal, requestId) =>
      JSON.stringify(toErrorAnswer(refusal, requestId).body),
    ),
    settings: settings.http,
    requestTimeoutMs: settings.http.requestTimeoutSeconds * 1_000,
    registry: metrics.registry,
    metricPrefix: METRIC_PREFIX,
    log,
    tracing,
  });
}
