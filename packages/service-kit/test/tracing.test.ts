import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createLogger,
  createRequestLog,
  openTracing,
  readSettings,
  TRACING_SETTINGS,
  type Tracing,
} from '@zonewright/service-kit';
import { once } from 'node:events';
import {
  createServer,
  request,
  type RequestListener,
  type RequestOptions,
  type Server,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const DATABASE_URL = 'postgres://somebody:hunter2@db.test/zonewright';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }[];
}

let collector: Server;
let spans: Span[];
let bodies: string;
let batches: number;
/** The collector's status; undefined if it does not respond for now. */
let collectorStatus: number | undefined;
let waiting: (() => void)[];
let server: Server;
let tracing: Tracing | undefined;

async function listen(listener: RequestListener): Promise<Server> {
  const listening = createServer(listener).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return listening;
}
const portOf = (listening: Server) => (listening.address() as AddressInfo).port;
const open = (env: Record<string, string> = {}) =>
  openTracing(
    readSettings(TRACING_SETTINGS, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${portOf(collector)}/base`,
      ...env,
    }),
    'a-service',
  );

/** Starts a server with traces; `listener` provides the responses. */
async function serve(
  listener: (traced: Tracing) => RequestListener,
  env: Record<string, string> = {},
): Promise<Tracing> {
  const opened = (await open(env))!;
  tracing = opened;
  server = await listen(opened.traceRequests(listener(opened)));
  return opened;
}

/** Sends a request; resolves with its status, or with undefined if it was cut off. */
function ask(options: RequestOptions = {}): Promise<number | undefined> {
  return new Promise((resolve) => {
    request({ port: portOf(server), host: '127.0.0.1', agent: false, ...options }, (response) => {
      response.resume().on('close', () => {
        resolve(response.statusCode);
      });
    })
      .on('error', () => {
        resolve(undefined);
      })
      .end();
  });
}

beforeEach(async () => {
  spans = [];
  bodies = '';
  waiting = [];
  collectorStatus = 200;
  batches = 0;
  collector = await listen((asked, response) => {
    if (asked.url !== '/base/v1/traces') throw new Error(`OTLP: not the path: ${asked.url ?? ''}`);
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      bodies += body;
      batches += 1;
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
      };
      const received = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
      const answer = () => {
        if (collectorStatus === 200) spans.push(...received.flatMap((scope) => scope.spans));
        response.writeHead(collectorStatus ?? 500).end();
      };
      if (collectorStatus === undefined) waiting.push(answer);
      else answer();
    });
  });
});
afterEach(async () => {
  await tracing?.stop();
  tracing = undefined;
  for (const each of [server as Server | undefined, collector]) {
    each?.closeAllConnections();
    each?.close();
  }
});

const attributesOf = (span: Span | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );

describe('whether there are traces', () => {
  it('is off without a collector, and when it is disabled', async () => {
    expect(await open({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined();
    expect(await open({ OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it('invalid settings are reported together, without headers', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_HEADERS: 'a key=hunter2',
      OTEL_SDK_DISABLED: 'yes',
      OTEL_RESOURCE_ATTRIBUTES: 'region',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '10%',
    };
    const read = () => readSettings(TRACING_SETTINGS, env);
    for (const variable of Object.keys(env)) expect(read).toThrow(new RegExp(`^${variable} `, 'm'));
    expect(read).not.toThrow(/hunter2/);
  });

  it.each([
    ['always_off', '1', 0],
    ['traceidratio', '0', 0],
    ['traceidratio', '1', 1],
    ['parentbased_always_off', '1', 1],
    ['parentbased_traceidratio', '0', 1],
    ['always_on', '0', 1],
  ])(
    'OpenTelemetry: %s with %s traces a request that its caller samples %d times',
    async (sampler, ratio, count) => {
      const traced = await serve(() => (_, response) => response.end(), {
        OTEL_TRACES_SAMPLER: sampler,
        OTEL_TRACES_SAMPLER_ARG: ratio,
      });
      await ask({ headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` } });
      await traced.stop();
      expect(spans).toHaveLength(count);
    },
  );
});

describe('the span of a request', () => {
  it.each([
    ['/ok', 'GET', 200, 'GET', {}, 0],
    ['/missing', 'GET', 404, 'GET', {}, 0],
    ['/fails', 'GET', 500, 'GET', { 'error.type': '500' }, 2],
    ['/ok', 'PROPFIND', 200, 'HTTP', { 'http.request.method': '_OTHER' }, 0],
  ])('HTTP conventions: %s %s', async (path, method, status, name, attributes, code) => {
    const traced = await serve(() => (_, response) => {
      response.writeHead(status).end();
    });
    await ask({ path: `${path}?secret=hunter2`, method, headers: { 'x-auth-token': 'hunter2' } });
    await traced.stop();
    expect(spans).toHaveLength(1);
    expect(spans[0]?.name).toBe(name);
    expect(spans[0]?.status.code ?? 0).toBe(code);
    expect(attributesOf(spans[0])).toMatchObject({
      'http.response.status_code': status,
      ...attributes,
    });
    expect(bodies).not.toMatch(/hunter2|\/ok|\/missing|\/fails/);
  });

  it('reports that a response was cut off, without a status', async () => {
    const traced = await serve(() => (_, response) => response.destroy());
    expect(await ask()).toBeUndefined();
    await traced.stop();
    expect(attributesOf(spans[0])).toMatchObject({ 'error.type': 'aborted' });
    expect(attributesOf(spans[0])).not.toHaveProperty(['http.response.status_code']);
  });

  it.each([
    ['one that is right', `00-${CALLER.traceId}-${CALLER.spanId}-01`, true],
    ['one of a later version', `01-${CALLER.traceId}-${CALLER.spanId}-01-more`, true],
    ['one that is too short', `00-${CALLER.traceId.slice(1)}-${CALLER.spanId}-01`, false],
    ['one of zeros', `00-${'0'.repeat(32)}-${CALLER.spanId}-01`, false],
    ['one in upper case', `00-${CALLER.traceId.toUpperCase()}-${CALLER.spanId}-01`, false],
    ['anything', 'hunter2', false],
    ['two of them', [1, 2].map((n) => `00-${CALLER.traceId}-${CALLER.spanId}-0${n}`), false],
  ])('W3C Trace Context s3.2: traceparent: %s', async (_, traceparent, isKept) => {
    const seen: unknown[] = [];
    const traced = await serve((it) => (_request, response) => {
      seen.push(it.logContext()?.['trace_id']);
      response.end();
    });
    await ask({ headers: { traceparent } });
    await traced.stop();
    expect(seen).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(seen[0] === CALLER.traceId).toBe(isKept);
    expect(spans[0]?.traceId).toBe(seen[0]);
  });

  it('ends even if the client sends half a request after it and disconnects', async () => {
    const traced = await serve(() => (_, response) => response.end());
    const socket = connect(portOf(server), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT');
    await once(socket, 'data');
    socket.destroy();
    await traced.stop();
    expect(spans).toHaveLength(1);
  });
});

describe('the spans below a request', () => {
  it('statements have the text with placeholders, the table, and the SQLSTATE of a failure without its message', async () => {
    const traced = await serve((it) => {
      const observe = it.statementObserver(DATABASE_URL);
      return (_, response) => {
        observe('select "id" from "dns"."domains" where id = $1')?.();
        observe('update identity.users set x = $1')?.(
          Object.assign(new Error('Key (name)=(hunter2)'), { code: '23505' }),
        );
        observe('COMMIT;')?.();
        response.end();
      };
    });
    await ask();
    await traced.stop();
    expect(spans.slice(0, 3).map(({ name }) => name)).toEqual([
      'SELECT dns.domains',
      'UPDATE identity.users',
      'COMMIT',
    ]);
    expect(attributesOf(spans[0])).toMatchObject({
      'db.system.name': 'postgresql',
      'db.namespace': 'zonewright',
      'server.address': 'db.test',
      'server.port': 5432,
    });
    expect(spans[1]?.status.code).toBe(2);
    expect(attributesOf(spans[1])).toMatchObject({ 'db.response.status_code': '23505' });
    expect(bodies).not.toContain('hunter2');
  });

  it('a call passes the trace on, and fails with the code of its error; credentials of its URL are not sent', async () => {
    const url = new URL('http://somebody:hunter2@identity.test/v3/auth/tokens');
    const sent: string[] = [];
    const traced = await serve((it) => async (_, response) => {
      const call = (outcome: () => { status: number }) =>
        it.traceCall({ method: 'GET', url }, (headers) => {
          sent.push(headers['traceparent'] ?? '');
          return Promise.resolve().then(outcome);
        });
      await call(() => ({ status: 404 }));
      await call(() => {
        throw Object.assign(new Error('hunter2'), { code: 'ECONNREFUSED' });
      }).catch(() => undefined);
      response.end();
    });
    await ask();
    await traced.stop();
    const [answered, failed, asked] = spans;
    expect(sent[0]).toMatch(new RegExp(`^00-${asked!.traceId}-[0-9a-f]{16}-01$`));
    expect(attributesOf(answered)).toMatchObject({
      'url.full': 'http://identity.test/v3/auth/tokens',
      'error.type': '404',
    });
    expect(attributesOf(failed)).toMatchObject({ 'error.type': 'ECONNREFUSED' });
    expect(bodies).not.toContain('hunter2');
  });

  it('excludes work that begins after its end, or belongs to no request', async () => {
    const traced = await serve((it) => (_, response) => {
      const observe = it.statementObserver(DATABASE_URL);
      response.on('close', () => {
        setImmediate(it.bind(() => observe('select 1')?.()));
      });
      response.end();
    });
    traced.statementObserver(DATABASE_URL)('select 2')?.();
    await ask();
    await new Promise(setImmediate);
    await traced.stop();
    expect(spans.map(({ name }) => name)).toEqual(['GET']);
  });

  it('log lines have its ids, also when they are written after the response', async () => {
    let lines = '';
    const traced = await serve((it) => {
      const destination = { write: (line: string) => void (lines += line) };
      const log = createLogger('a-service', 'info', destination, it.logContext);
      const logRequest = createRequestLog(log, it.logContext);
      log.info('outside');
      return (_, response) => {
        response.on(
          'close',
          it.bind(() => {
            logRequest({ status: 200 });
            log.warn('inside');
          }),
        );
        response.end();
      };
    });
    await ask();
    await traced.stop();
    const [outside, ...inside] = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(outside).not.toHaveProperty('trace_id');
    expect(inside).toHaveLength(2);
    for (const line of inside) {
      expect(line).toMatchObject({
        trace_id: spans[0]?.traceId,
        span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      });
    }
  });
});

describe('a collector', () => {
  it('a slow collector has a limited queue', async () => {
    collectorStatus = undefined;
    const traced = await serve((it) => {
      const observe = it.statementObserver(DATABASE_URL);
      return (_, response) => {
        for (let count = 0; count < 100; count++) observe('select 1')?.();
        response.end();
      };
    });
    for (let count = 0; count < 40; count++) expect(await ask()).toBe(200);
    collectorStatus = 200;
    for (const answer of waiting) answer();
    await traced.stop();
    // These are the spans of the queue, and of the batch that was being sent.
    expect(spans.length).toBeGreaterThan(1_000);
    expect(spans.length).toBeLessThanOrEqual(2_048 + 512);
  });

  it('a collector that refuses causes one line at the beginning and one at the end, without its response', async () => {
    const lines: string[] = [];
    collectorStatus = 400;
    const traced = await serve((it) => {
      const observe = it.statementObserver(DATABASE_URL);
      return (_, response) => {
        // A full batch is sent at once.
        for (let count = 0; count < 512; count++) observe('select 1')?.();
        response.end();
      };
    });
    traced.reportTo(createLogger('a-service', 'info', { write: (line) => void lines.push(line) }));
    const sendBatch = async () => {
      const before = batches;
      await ask();
      const until = Date.now() + 10_000;
      while (batches === before && Date.now() < until) await new Promise(setImmediate);
    };
    await sendBatch();
    await sendBatch();
    collectorStatus = 200;
    await sendBatch();
    await traced.stop();
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'traces cannot be sent; they are dropped',
      'traces can be sent again',
    ]);
  });
});
