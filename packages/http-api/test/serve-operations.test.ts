import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Api,
  findUnfolder,
  type Operation,
  readBody,
  Refusal,
  type Reply,
  RequestMetrics,
  serveOperations,
} from '@zonewright/http-api';
import { createLogger } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { connect } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { useServer } from './support/use-server.js';

const lines: string[] = [];
const answered: [string, number | undefined][] = [];
/** Ends the waiting request; undefined if no request is waiting. */
let release: (() => void) | undefined;

const operation = (id: string, method: Operation['method'], path: string): Operation => ({
  id,
  name: id,
  method,
  path,
  access: 'public',
});

async function* pieces(breaksOff: boolean): AsyncGenerator<string> {
  yield '[1';
  await Promise.resolve();
  if (breaksOff) throw new Error('the rest cannot be read');
  yield ',2]';
}

/** A response that ends only when it is no longer read. */
async function* withoutEnd(): AsyncGenerator<string> {
  for (;;) {
    yield '.'.repeat(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const JSON_HEADERS = { 'Content-Type': 'application/json' };

async function perform(
  { id }: Operation,
  { request, response }: Parameters<Api<Operation>['perform']>[1],
): Promise<Reply> {
  switch (id) {
    case 'list':
      return { status: 200, headers: JSON_HEADERS, body: pieces(false) };
    case 'breakOff':
      return { status: 200, headers: JSON_HEADERS, body: pieces(true) };
    case 'goOn':
      return { status: 200, headers: JSON_HEADERS, body: withoutEnd() };
    case 'wait':
      await new Promise<void>((resolve) => (release = resolve));
      return { status: 204 };
    case 'echo': {
      const unfold = findUnfolder(request.headers['content-encoding'], 1_000);
      const bytes = await unfold(await readBody(request, response, { maxBytes: 1_000 }));
      return { status: 200, headers: JSON_HEADERS, body: bytes };
    }
    default:
      throw new Error('nobody expected this');
  }
}

const api: Api<Operation> = {
  operations: [
    operation('list', 'GET', '/list'),
    operation('breakOff', 'GET', '/break-off'),
    operation('goOn', 'GET', '/go-on'),
    operation('wait', 'GET', '/wait'),
    operation('fail', 'GET', '/fail'),
    operation('echo', 'POST', '/echo'),
  ],
  isTls: false,
  types: ['application/json'],
  log: createLogger('an-api', 'info', { write: (line) => void lines.push(line) }),
  metrics: new RequestMetrics({ registry: new Registry(), metricPrefix: 'a', buckets: [1] }),
  tracing: undefined,
  noRoute: 'none',
  perform,
  renderError: (error) => ({
    status: error instanceof Refusal ? error.status : 500,
    headers: JSON_HEADERS,
    body: '{}',
  }),
  onAnswered: ({ id }, _exchange, reply) => answered.push([id, reply?.status]),
};

const server = useServer(serveOperations(api));
beforeEach(() => {
  lines.length = 0;
  answered.length = 0;
});

/** Returns the log line of a request when it is available. */
async function logged(): Promise<Record<string, unknown>> {
  const found = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  await waitFor(() => found().some(({ msg }) => msg === 'request'));
  return found().find(({ msg }) => msg === 'request') ?? {};
}

const post = async (body: Buffer, headers: Record<string, string>) =>
  await fetch(`${server.url}/echo`, { method: 'POST', body, headers });

describe('serveOperations', () => {
  it('sends a response piece by piece', async () => {
    const response = await fetch(`${server.url}/list`);
    expect(await response.json()).toEqual([1, 2]);
    expect(await logged()).toMatchObject({ route: '/list', status: 200 });
    expect(answered).toEqual([['list', 200]]);
  });

  it('RFC 9112 s8: a response that fails ends the connection, and its cause is logged', async () => {
    const response = await fetch(`${server.url}/break-off`);
    await expect(response.text()).rejects.toThrow();
    await logged();
    expect(lines.join('')).toContain('the rest cannot be read');
  });

  it('a client that disconnects before the response gets 499 in the log', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await waitFor(() => release !== undefined);
    socket.destroy();
    expect(await logged()).toMatchObject({ route: '/wait', status: 499 });
    release?.();
    expect(answered).toEqual([['wait', undefined]]);
  });

  it('a client that disconnects during the response is not an error: the log has only a line with 499', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GET /go-on HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    expect(await logged()).toMatchObject({ route: '/go-on', status: 499 });
    // The next response is logged after all lines that could still follow for this one.
    await (await fetch(`${server.url}/list`)).text();
    await waitFor(() => lines.length >= 2);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'request',
      'request',
    ]);
  });

  it('an internal error is a 500 whose cause is only in the log', async () => {
    const response = await fetch(`${server.url}/fail`);
    expect([response.status, await response.text()]).toEqual([500, '{}']);
    expect(lines.join('')).toContain('nobody expected this');
  });

  it('requests without an operation are counted under one name', async () => {
    expect((await fetch(`${server.url}/nowhere/1`)).status).toBe(404);
    expect(await logged()).toMatchObject({ route: 'none', status: 404 });
    expect(answered).toEqual([]);
  });

  it('RFC 9110 s8.4: decompresses a body up to the limit', async () => {
    const gzip = { 'Content-Encoding': 'gzip' };
    const response = await post(gzipSync('{"a":1}'), gzip);
    expect([response.status, await response.json()]).toEqual([200, { a: 1 }]);
    expect((await post(gzipSync(Buffer.alloc(100_000)), gzip)).status).toBe(413);
    expect((await post(Buffer.from('no gzip'), gzip)).status).toBe(400);
    expect((await post(Buffer.from('x'), { 'Content-Encoding': 'zip' })).status).toBe(415);
  });

  it('a body that is refused without reading it is logged with the status of the response', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    expect(await logged()).toMatchObject({ route: '/echo', status: 413 });
  });

  it('RFC 9112 s3.2.2: ignores the host in a target in absolute form, even an invalid one', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GET http://[/list HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('HTTP/1.1 200');
    expect(await logged()).toMatchObject({ route: '/list', status: 200 });
    socket.destroy();
  });
});
