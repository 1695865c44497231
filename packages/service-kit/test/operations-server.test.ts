import { afterEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { Counter, Gauge, Registry } from 'prom-client';
import { OperationsServer, type ReadinessCheck } from '../src/index.js';

const servers: OperationsServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(
  checks: Readonly<Record<string, ReadinessCheck>> = {},
  registry = new Registry(),
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const server = new OperationsServer({ host: '127.0.0.1', port: 0, registry, checks });
  servers.push(server);
  const port = await server.start();
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

const well: ReadinessCheck = () => Promise.resolve();

describe('/healthz', () => {
  it('answers while the process runs, whichever services are unavailable', async () => {
    const get = await start({ database: () => Promise.reject(new Error('away')) });
    const response = await get('/healthz');

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ status: 'ok' });
  });
});

describe('/readyz', () => {
  it('returns 200 when all checks succeed', async () => {
    const response = await (await start({ database: well, redis: well }))('/readyz');

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'ok',
      checks: { database: 'ok', redis: 'ok' },
    });
  });

  it('shows the text of a check that succeeded', async () => {
    const get = await start({ zones: () => Promise.resolve('stale: no database for 9 s') });
    const response = await get('/readyz');

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'ok',
      checks: { zones: 'stale: no database for 9 s' },
    });
  });

  it('returns 503 when a check fails, and names it with its reason', async () => {
    const get = await start({
      database: well,
      redis: () => Promise.reject(new Error('connection refused')),
    });
    const response = await get('/readyz');

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: 'unavailable',
      checks: { database: 'ok', redis: 'connection refused' },
    });
  });

  it('answers within a second when a check hangs', async () => {
    const get = await start({ database: () => new Promise<void>(() => undefined), redis: well });
    const started = performance.now();
    const response = await get('/readyz');

    expect(performance.now() - started).toBeLessThan(2_000);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      checks: { database: 'no response within 900 ms', redis: 'ok' },
    });
  });

  it.each<[string, ReadinessCheck, string]>([
    [
      'throws instead of rejecting',
      () => {
        throw new Error('not started');
      },
      'not started',
    ],
    // This is Node's error when each address of "localhost" refuses the connection.
    [
      'fails without a message',
      () => Promise.reject(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })),
      'ECONNREFUSED',
    ],
    // A failure must not produce the word for success.
    ['fails saying "ok"', () => Promise.reject(new Error('ok')), 'ok'],
    [
      'repeats a connection URL',
      () => Promise.reject(new Error('cannot use postgres://u:hunter2@h/d')),
      'cannot use postgres://[redacted]@h/d',
    ],
  ])('returns 503 when a check %s', async (_, check, reason) => {
    const response = await (await start({ check }))('/readyz');

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'unavailable', checks: { check: reason } });
  });
});

describe('/metrics', () => {
  it('is the registry in the text form of Prometheus', async () => {
    const registry = new Registry();
    new Counter({ name: 'questions_total', help: 'Questions.', registers: [registry] }).inc(3);
    const response = await (await start({}, registry))('/metrics');

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(await response.text()).toContain('questions_total 3');
  });

  it('reports the same result for each check as /readyz', async () => {
    const away: ReadinessCheck = () => Promise.reject(new Error('away'));
    const metrics = await (await start({ database: well, redis: away }))('/metrics');
    const text = await metrics.text();

    expect(text).toContain('zonewright_ready{check="database"} 1');
    expect(text).toContain('zonewright_ready{check="redis"} 0');
  });

  it('returns 500 when a metric cannot be collected, and the process continues', async () => {
    const registry = new Registry();
    new Gauge({
      name: 'broken',
      help: 'Fails.',
      registers: [registry],
      collect: () => Promise.reject(new Error('no')),
    });
    const get = await start({}, registry);

    expect((await get('/metrics')).status).toBe(500);
    expect((await get('/healthz')).status).toBe(200);
  });
});

describe('the operations port', () => {
  it('lists its paths in the response to an unknown one', async () => {
    const response = await (await start())('/');

    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      status: 'not found',
      paths: ['/healthz', '/readyz', '/metrics'],
    });
  });

  it('ignores a query', async () => {
    expect((await (await start())('/healthz?verbose=1')).status).toBe(200);
  });

  it('RFC 9110 s9.3.2: HEAD has the status of GET and no content', async () => {
    const response = await (await start())('/readyz', { method: 'HEAD' });

    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it.each(['POST', 'PUT', 'DELETE'])(
    'RFC 9110 s15.5.6: %s gets 405 with the allowed methods',
    async (method) => {
      const response = await (await start())('/healthz', { method });

      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  it('reports a port that is in use', async () => {
    const create = (port: number) =>
      new OperationsServer({ host: '127.0.0.1', port, registry: new Registry(), checks: {} });
    const first = create(0);
    servers.push(first);
    const port = await first.start();

    await expect(create(port).start()).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  it('stops at once even if a client keeps its connection open', async () => {
    const server = new OperationsServer({
      host: '127.0.0.1',
      port: 0,
      registry: new Registry(),
      checks: {},
    });
    const client = connect(await server.start(), '127.0.0.1');
    const closed = new Promise((resolve) => client.once('close', resolve));
    await new Promise((resolve) => client.once('connect', resolve));
    client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => client.once('data', resolve));

    await server.stop();
    await closed;
    // A second stop, and that of a server that never started, also end.
    await server.stop();
    expect(client.destroyed).toBe(true);
  });
});
