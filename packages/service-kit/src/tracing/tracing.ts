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

/**
 * Time limit for sending the last spans. A process has 8 s to exit (run-service.ts), mostly for requests in progress.
 */
const FLUSH_WITHIN_MS = 2_000;

/**
 * Traces of a process. The asynchronous context identifies the request of each operation: work for a request becomes a
 * child of its span, other work is not traced.
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

  /** Sets the logger for failures of the collector. */
  reportTo(log: Logger): void {
    this.#exporter.reportTo(log);
  }

  /** Sends the remaining spans within a short time limit. */
  async stop(): Promise<void> {
    const impatience = new AbortController();
    const { signal } = impatience;
    // An unreachable collector has already been reported.
    const flushed = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([
      flushed.finally(() => {
        impatience.abort();
      }),
      delay(FLUSH_WITHIN_MS, undefined, { signal, ref: false }).catch(() => undefined),
    ]);
    // While the storage is enabled, each new promise in this process looks it up.
    this.#requests.disable();
  }

  /** Gives each request a span, as a child of the caller's span if there is one. */
  traceRequests(listener: RequestListener): RequestListener {
    return (request, response) => {
      const context = startRequestSpan(this.#tracer, request, response);
      this.#requests.run(context, listener, request, response);
    };
  }

  /** Adds facts to the span of this request. It has no effect after the response. */
  describeRequest(description: RequestDescription): void {
    const span = trace.getSpan(this.#context);
    if (span !== undefined) describeRequest(span, description);
  }

  /** Binds a callback that runs outside the request's own work, such as a listener of its socket. */
  bind<F extends () => void>(callback: F): F {
    return AsyncResource.bind(callback);
  }

  /** Makes a call to another service, with the headers that propagate the trace. */
  traceCall<T extends { readonly status: number }>(
    call: OutgoingCall,
    send: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    return traceCall({ tracer: this.#tracer, context: this.#context }, call, send);
  }

  /** Returns an observer that creates a span for each statement of a request. */
  statementObserver(databaseUrl: string): StatementObserver {
    return observeStatements(this.#tracer, databaseUrl, () => this.#context);
  }

  /** Returns the members of a log line that identify its trace. */
  readonly logContext: LogContext = () => {
    const ids = trace.getSpanContext(this.#context);
    return ids && { trace_id: ids.traceId, span_id: ids.spanId };
  };

  get #context(): Context {
    return this.#requests.getStore() ?? ROOT_CONTEXT;
  }
}
