import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, globalAgent, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { nodeFetch } from './node-client.js';

const PACKED = gzipSync('many records '.repeat(1_000));
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(PACKED),
  '/nothing': (response) => response.writeHead(204).end(),
  '/elsewhere': (response) =>
    response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(PACKED.subarray(0, 20), () => {
      response.destroy();
    });
  },
  '/never': () => undefined,
};

describe('fetch over node:http', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.method === 'POST') {
        response.writeHead(201, { 'x-token': request.headers['x-auth-token'] });
        request.pipe(response);
      } else ANSWERS[request.url ?? '']?.(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  it('sends a body and header fields, and reads the response', async () => {
    const headers = { 'X-Auth-Token': 'ab\u00e7' };
    const response = await nodeFetch(`${url}/`, { method: 'POST', headers, body: '{"a":"ä"}' });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-token')).toBe('ab\u00e7');
    expect(await response.json()).toEqual({ a: 'ä' });
  });

  it('reads compressed and empty bodies', async () => {
    expect(await (await nodeFetch(`${url}/packed`)).text()).toHaveLength(13_000);
    // The process cannot exit while the socket is in use.
    const isFree = once(globalAgent, 'free');
    expect(await (await nodeFetch(`${url}/nothing`)).text()).toBe('');
    await isFree;
  });

  it('does not follow redirects', async () => {
    await expect(nodeFetch(`${url}/elsewhere`)).rejects.toThrow(
      'redirected to https://elsewhere.example/',
    );
  });

  it('fails if the connection is cut within a response, or if there is no response', async () => {
    await expect(nodeFetch(`${url}/cut`).then((response) => response.text())).rejects.toThrow();
    await expect(nodeFetch('http://127.0.0.1:1/')).rejects.toThrow('ECONNREFUSED');
  });

  it('stops when the caller aborts', async () => {
    const signal = AbortSignal.timeout(50);
    await expect(nodeFetch(`${url}/never`, { signal })).rejects.toThrow();
  });
});
