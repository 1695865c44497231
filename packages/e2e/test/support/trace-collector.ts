import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** SpanKind of the OTLP protocol. */
export const KIND = { server: 2, client: 3 } as const;
/** Status code `error` of the OTLP protocol. */
export const STATUS_ERROR = 2;

/** Received span. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly statusCode: number;
}

type Attributes = readonly {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}[];
interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'service' | 'attributes' | 'statusCode'> & {
        readonly attributes: Attributes;
        readonly status: { readonly code?: number };
      })[];
    }[];
  }[];
}

/** Collector that accepts and stores OTLP over HTTP as JSON. */
export class TraceCollector {
  readonly #server: Server;
  readonly spans: CollectedSpan[] = [];
  /** Received bodies. */
  readonly bodies: string[] = [];
  headers: IncomingHttpHeaders = {};
  /** Whether it accepts requests without responding. */
  isSilent = false;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.headers = request.headers;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (this.isSilent) return;
        this.#take(Buffer.concat(chunks).toString());
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async start(port = 0): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.#server.listen(port, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  ofTrace(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #take(body: string): void {
    this.bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as TraceRequest).resourceSpans) {
      const service = String(toRecord(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { attributes, status, ...rest } = span;
        const parentSpanId = rest.parentSpanId === '' ? undefined : rest.parentSpanId;
        const statusCode = status.code ?? 0;
        this.spans.push({
          ...rest,
          parentSpanId,
          service,
          statusCode,
          attributes: toRecord(attributes),
        });
      }
    }
  }
}

function toRecord(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
