import { describe, expect, it } from '@jest/globals';
import {
  type Api,
  type Operation,
  Refusal,
  RequestMetrics,
  serveOperations,
} from '@zonewright/http-api';
import { createLogger } from '@zonewright/service-kit';
import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { Registry } from 'prom-client';
import { useServer } from './support/use-server.js';

const operation = (id: string, method: Operation['method'], path: string): Operation => ({
  id,
  name: id,
  method,
  path,
  access: 'public',
});

const api: Api<Operation> = {
  operations: [
    operation('get', 'GET', '/things/{thingId}'),
    operation('check', 'HEAD', '/things/{thingId}'),
    operation('delete', 'DELETE', '/things/{thingId}'),
    operation('list', 'GET', '/things'),
    operation('create', 'POST', '/things'),
    operation('import', 'POST', '/things/import'),
    operation('getPart', 'GET', '/things/{thingId}/parts/{partId}'),
    operation('getFirst', 'GET', '/v2.0/{name}'),
    operation('deleteFirst', 'DELETE', '/v2.0/{name}'),
  ],
  isTls: false,
  types: ['application/json'],
  log: createLogger('an-api', 'info', { write: () => undefined }),
  metrics: new RequestMetrics({ registry: new Registry(), metricPrefix: 'a', buckets: [1] }),
  tracing: undefined,
  noRoute: 'none',
  isAhead: ({ id }) => id === 'getFirst',
  perform: async ({ id }, { params }) =>
    await Promise.resolve({
      status: 200,
      headers: { 'Content-Type': 'application/json', 'X-Operation': id },
      body: JSON.stringify(params),
    }),
  renderError: (error) => ({
    status: error instanceof Refusal ? error.status : 500,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(error instanceof Refusal ? { code: error.code, ...error.facts } : {}),
  }),
};

const server = useServer(serveOperations(api));

/** Sends a path unchanged, without normalizing it. */
async function ask(method: string, path: string) {
  const { port } = new URL(server.url);
  const response = await new Promise<Parameters<NonNullable<Parameters<typeof send>[2]>>[0]>(
    (resolve, reject) => {
      send({ port, method, path, agent: false }, resolve).on('error', reject).end();
    },
  );
  const body = await text(response);
  return {
    status: response.statusCode,
    operation: response.headers['x-operation'],
    body: body === '' ? undefined : (JSON.parse(body) as unknown),
  };
}

describe('routing of operations', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['GET', '/things', 'list', {}],
    ['POST', '/things', 'create', {}],
    ['GET', '/things/1', 'get', { thingId: '1' }],
    ['GET', '/things/a%2Fb', 'get', { thingId: 'a/b' }],
    ['GET', '/things/a.b:c', 'get', { thingId: 'a.b:c' }],
    ['GET', '/things/1/parts/2?query=3', 'getPart', { thingId: '1', partId: '2' }],
    ['GET', '//things//1/parts/2/', 'getPart', { thingId: '1', partId: '2' }],
    ['GET', '/v2.0/x', 'getFirst', { name: 'x' }],
    ['GET', '/v2.0/%78', 'getFirst', { name: 'x' }],
    ['DELETE', '/v2.0/x', 'deleteFirst', { name: 'x' }],
  ])('%s %s is %s', async (method, path, id, params) => {
    expect(await ask(method, path)).toEqual({ status: 200, operation: id, body: params });
  });

  it('RFC 9110 s9.3.2: handlers of GET answer HEAD, unless HEAD has its own', async () => {
    expect(await ask('HEAD', '/things')).toMatchObject({ status: 200, operation: 'list' });
    expect(await ask('HEAD', '/things/1')).toMatchObject({ status: 200, operation: 'check' });
    expect(await ask('HEAD', '/v2.0/x')).toMatchObject({ status: 200, operation: 'getFirst' });
  });

  it('a literal segment precedes a parameter', async () => {
    expect(await ask('POST', '/things/import')).toMatchObject({ operation: 'import' });
  });

  it.each([
    ['PUT', '/things', ['GET', 'POST', 'HEAD']],
    ['OPTIONS', '/things/1', ['GET', 'HEAD', 'DELETE']],
    ['GET', '/things/import', ['POST']],
    ['HEAD', '/things/import', ['POST']],
    ['POST', '/v2.0/x', ['GET', 'DELETE', 'HEAD']],
  ])(
    'RFC 9110 s15.5.6: %s %s is refused with the allowed methods',
    async (method, path, offered) => {
      const { status, body } = await ask(method, path);
      expect(status).toBe(405);
      if (method !== 'HEAD')
        expect(body).toEqual({ code: 'method-not-allowed', offered, given: method });
    },
  );

  it.each(['/', '/Things', '/things/1/parts', '/v2x0/a'])(
    'RFC 3986 s6.2.2.1: %s is not one of these paths',
    async (path) => {
      expect(await ask('GET', path)).toMatchObject({ status: 404 });
    },
  );

  it.each(['/things/%zz', '/v2.0/%zz', '/things/1/parts/%c3%28'])(
    'RFC 3986 s2.1: %s is refused, because it is not percent-encoded',
    async (path) => {
      expect(await ask('GET', path)).toEqual({ status: 400, body: { code: 'path-not-encoded' } });
    },
  );
});
