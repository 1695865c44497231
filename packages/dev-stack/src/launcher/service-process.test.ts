import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awaitReadiness } from './service-process.js';

let asked = 0;
let readyAfter = 0;
const server = createServer((request, response) => {
  expect(request.url).toBe('/readyz');
  asked += 1;
  response.statusCode = asked > readyAfter ? 200 : 503;
  response.end('{}');
});
let operations = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  operations = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('waits while a nameserver is still reading its zones', async () => {
  readyAfter = 3;
  expect(await awaitReadiness(operations, 60_000)).toBe(true);
  expect(asked).toBe(4);
});

it('stops waiting at the deadline, so that the launcher can report it', async () => {
  readyAfter = Infinity;
  expect(await awaitReadiness(operations, 100)).toBe(false);
});
