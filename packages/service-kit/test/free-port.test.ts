import { expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/index.js';

it("returns a port below the clients' ports that is free for TCP and UDP", async () => {
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

it('returns each port once to all processes that share claims', async () => {
  const before = process.env['ZONEWRIGHT_PORT_CLAIMS'];
  const claims = await mkdtemp(join(tmpdir(), 'zonewright-claims-'));
  process.env['ZONEWRIGHT_PORT_CLAIMS'] = claims;
  try {
    // Of 500 ports drawn at random from 12,768, some would be equal.
    const given = await Promise.all(Array.from({ length: 500 }, () => freePort()));
    expect(new Set(given).size).toBe(given.length);
    expect(await readdir(claims)).toEqual(expect.arrayContaining(given.map(String)));
  } finally {
    process.env['ZONEWRIGHT_PORT_CLAIMS'] = before;
    if (before === undefined) delete process.env['ZONEWRIGHT_PORT_CLAIMS'];
    await rm(claims, { recursive: true });
  }
});
