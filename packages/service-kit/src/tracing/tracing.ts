import { type Context, ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LogContext } from '../logging/logger.js';
import {
  describeRequest,
  observeStatements,
  type OutgoingCall,
  type RequestDescription,
  startRequestSpan,
  type StatementObserver,
  traceCall,
} from './spans.js';
import type { ReportingExporter } from './reporting-exporter.js';

/** A process has 8 s to end (run-service.ts), most of them for the requests that it still answers. */
const FLUSH_WITHIN_MS = 2_000;

/**
 * The traces of a process. Which request something belongs to is known from the asynchronous context: what is done for
 * a request becomes a child of its span, what is done for none is not traced.
 *
 *     caller ──traceparent──▶ span of the request ──▶ spans of its calls ──traceparent──▶ the other service
 *                                      └──────────▶ spans of its SQL statements
 */
export class Tracing {
  readonly #provider: TracerProvider;
  readonly #exporter: ReportingExporter;
  readonly #tracer: Tracer;
  readonly #requests = new AsyncLocalStorage<Context>();

  constructor(provider: TracerProvider, exporter: ReportingExporter) {
    this.#provider = provider;
    this.#exporter = exporter;
    this.#tracer = provider.getTracer('zonewright');
  }

  /** Where to say that the collector is away. */
  reportTo(log: Logger): void {
    this.#exporter.reportTo(log);
  }

  /** Sends what is left, for a short time at most. */
  async stop(): Promise<void> {
    const impatience = new AbortController();
    const { signal } = impatience;
    // A collector that is away has been reported.
    const flushed = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([
      flushed.finally(() => {
        impatience.abort();
      }),
      delay(FLUSH_WITHIN_MS, undefined, { signal, ref: false }).catch(() => undefined),
    ]);
    // Else each promise that is made in this process from here on looks at it.
    this.#requests.disable();
  }

  /** Gives each request a span, below the one of its caller if it names one. */
  traceRequests(listener: RequestListener): RequestListener {
    return (request, response) => {
      const context = startRequestSpan(this.#tracer, request, response);
      this.#requests.run(context, listener, request, response);
    };
  }

  /** What the span of this request is to say; until its answer has been sent. */
  describeRequest(description: RequestDescription): void {
    const span = trace.getSpan(this.#context);
    if (span !== undefined) describeRequest(span, description);
  }

  /** For what is called from outside of a request's own steps, such as listeners of its socket. */
  bind<F extends () => void>(callback: F): F {
    return AsyncResource.bind(callback);
  }

  /** Makes a call to another service, with the headers that carry the trace there. */
  traceCall<T extends { readonly status: number }>(
    call: OutgoingCall,
    send: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    return traceCall({ tracer: this.#tracer, context: this.#context }, call, send);
  }

  /** Makes a span of each statement that a connection to this database sends for a request. */
  statementObserver(databaseUrl: string): StatementObserver {
    return observeStatements(this.#tracer, databaseUrl, () => this.#context);
  }

  /** The members of a log line that lead to its trace. */
  readonly logContext: LogContext = () => {
    const ids = trace.getSpanContext(this.#context);
    return ids && { trace_id: ids.traceId, span_id: ids.spanId };
  };

  get #context(): Context {
    return this.#requests.getStore() ?? ROOT_CONTEXT;
  }
}
