import { expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../src/index.js';

it('gives a port below the ports of clients, free for TCP and UDP', async () => {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(socket, 'listening')]);

  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_768);
  socket.close();
  server.close();
  await once(server, 'close');
});
