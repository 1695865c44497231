import type { RequestListener } from 'node:http';
import {
  answerBrokenRequest,
  ApiServer,
  BodyBudget,
  listeningUrl,
  RequestGate,
  serveOperations,
} from '@zonewright/http-api';
import {
  createLogger,
  type Logger,
  OperationsServer,
  type RunnableService,
  type Tracing,
} from '@zonewright/service-kit';
import { createApi } from './api.js';
import { type Context, createMetrics, METRIC_PREFIX } from './context/context.js';
import { renderError } from './context/errors.js';
import { readPageFiles } from './pages/page-files.js';
import { servePages } from './pages/serve-pages.js';
import { ProjectTokens } from './upstream/project-tokens.js';
import { SessionCookie } from './upstream/session-cookie.js';
import { type ConsoleSettings, filesFolderOf } from './context/settings.js';
import { Identity } from './upstream/identity.js';
import { Streams, Upstream } from './upstream/upstream.js';

/** Objects that main.ts adds, and replacements for tests. */
interface ConsoleOverrides {
  readonly tracing?: Tracing | undefined;
  readonly log?: Logger;
  readonly now?: () => number;
}

/** Maximum size of all bodies that are being forwarded: as many concurrent imports as one backend service allows. */
const MAX_BODY_OCTETS = 64 * 1024 * 1024;

/** The console: its pages, the sessions of browsers, and the forwarding of requests to both APIs. */
export class ConsoleService implements RunnableService {
  readonly #context: Context;
  readonly #server: ApiServer;
  readonly #operations: OperationsServer;
  /** Reloads changed certificate files. Undefined without TLS. */
  readonly reload: (() => void) | undefined;

  private constructor(context: Context) {
    this.#context = context;
    const { settings, metrics, log, tracing, identity } = context;
    this.#server = new ApiServer({
      listener: createListener(context),
      answerBroken: answerBrokenRequest(
        (refusal, requestId) => renderError(refusal, { requestId }).body,
      ),
      settings: { ...settings.http, corsOrigins: [] },
      requestTimeoutMs: settings.http.requestTimeoutSeconds * 1_000,
      registry: metrics.registry,
      metricPrefix: METRIC_PREFIX,
      log,
      tracing,
    });
    this.reload = this.#server.reload;
    this.#operations = new OperationsServer({
      host: settings.http.host,
      port: settings.http.operationsPort,
      registry: metrics.registry,
      checks: { identity: () => identity.check() },
    });
  }

  /** @throws SettingsError if there are no pages */
  static create(
    settings: ConsoleSettings,
    { tracing, log: given, now = Date.now }: ConsoleOverrides = {},
  ): ConsoleService {
    const log =
      given ?? createLogger('console-service', settings.logLevel, undefined, tracing?.logContext);
    tracing?.reportTo(log);
    const streams = new Streams(settings.http.maxStreams);
    const metrics = createMetrics(() => streams.open);
    const identity = new Identity(settings.identityUrl, tracing);
    const { keys, idleMinutes } = settings.session;
    return new ConsoleService({
      settings,
      identity,
      cookie: new SessionCookie({ keys, idleMs: idleMinutes * 60_000, now }),
      projectTokens: new ProjectTokens(identity),
      upstreams: {
        dns: new Upstream(settings.dnsUrl, 'DNS API'),
        identity: new Upstream(settings.identityUrl, 'identity service'),
      },
      streams,
      bodies: new BodyBudget(MAX_BODY_OCTETS),
      gate: new RequestGate({
        load: settings.http.load,
        registry: metrics.registry,
        metricPrefix: METRIC_PREFIX,
        log,
      }),
      metrics,
      tracing,
      log,
      now,
    });
  }

  /** Listens at once, even while the backend services are unavailable. */
  async start(): Promise<Record<string, string>> {
    const { http } = this.#context.settings;
    const port = await this.#server.listen(http.port, http.host);
    const operationsPort = await this.#operations.start();
    const addresses = {
      http: listeningUrl(this.#server.scheme, http.host, port),
      operations: listeningUrl('http', http.host, operationsPort),
    };
    this.#context.log.info({ addresses }, 'started');
    if (this.#server.scheme === 'http') {
      this.#context.log.info(
        'TLS is not enabled: browsers must use a proxy with TLS, or run on this machine, where cookies do not need Secure',
      );
    }
    return addresses;
  }

  /**
   * Answers requests that have already arrived. Event streams are closed; their browsers reconnect to another replica.
   */
  async stop(): Promise<void> {
    const { upstreams, identity, tracing, log } = this.#context;
    upstreams.dns.close();
    await this.#server.stop();
    await this.#operations.stop();
    upstreams.identity.close();
    identity.close();
    await tracing?.stop();
    log.info('stopped');
  }
}

function createListener(context: Context): RequestListener {
  const api = serveOperations(createApi(context));
  const { settings, metrics } = context;
  const files = readPageFiles(filesFolderOf(settings));
  const pages = servePages({ files, settings: settings.http, metrics });
  return (request, response) => {
    const isOfApi = /^\/+(api|session)(?=[/?]|$)/.test(request.url ?? '');
    (isOfApi ? api : pages)(request, response);
  };
}
