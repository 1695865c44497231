import { type Context, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
} from '@opentelemetry/semantic-conventions';
import { errorTypeOf, failSpan } from './fail-span.js';

/** A request to another service. */
export interface OutgoingCall {
  readonly method: string;
  /** Its path is a constant of ours: it becomes a name, and holds no id. */
  readonly url: URL;
}

type Headers = Readonly<Record<string, string>>;

/** Makes a call in a span of its own, which the other service learns of from the headers. */
export async function traceCall<T extends { readonly status: number }>(
  { tracer, context }: { readonly tracer: Tracer; readonly context: Context },
  call: OutgoingCall,
  send: (headers: Headers) => Promise<T>,
): Promise<T> {
  // Of a request that is not traced the other service learns that, too.
  if (trace.getSpan(context)?.isRecording() !== true) return await send(headersFor(context));
  const span = tracer.startSpan(nameOf(call), optionsOf(call), context);
  try {
    const answer = await send(headersFor(trace.setSpan(context, span)));
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, answer.status);
    // Semantic conventions for HTTP: for a client the 400s are failures as well.
    if (answer.status >= 400) failSpan(span, String(answer.status));
    return answer;
  } catch (error) {
    failSpan(span, errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** W3C Trace Context s3.2, version 00. */
function headersFor(context: Context): Headers {
  const ids = trace.getSpanContext(context);
  if (ids === undefined) return {};
  const flags = ids.traceFlags.toString(16).padStart(2, '0');
  return { traceparent: `00-${ids.traceId}-${ids.spanId}-${flags}` };
}

function nameOf({ method, url }: OutgoingCall): string {
  return `${method} ${url.pathname}`;
}

function optionsOf({ method, url }: OutgoingCall) {
  const { protocol, host, hostname, port, pathname } = url;
  return {
    kind: SpanKind.CLIENT,
    attributes: {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      // Put together anew: the base URL of a service may have credentials.
      [ATTR_URL_FULL]: `${protocol}//${host}${pathname}`,
      [ATTR_SERVER_ADDRESS]: hostname,
      [ATTR_SERVER_PORT]: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    },
  };
}
