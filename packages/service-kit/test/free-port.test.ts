import { expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it('gives no port that a process with the same claims was given', async () => {
  const before = process.env['ZONEWRIGHT_PORT_CLAIMS'];
  const claims = await mkdtemp(join(tmpdir(), 'zonewright-claims-'));
  process.env['ZONEWRIGHT_PORT_CLAIMS'] = claims;
  try {
    const first = await freePort();
    expect(await readdir(claims)).toEqual([String(first)]);

    const all = Array.from({ length: 12_768 }, (_, index) => String(20_000 + index));
    await Promise.all(
      all.filter((port) => port !== String(first)).map((port) => writeFile(join(claims, port), '')),
    );
    await expect(freePort()).rejects.toThrow('No free port');
  } finally {
    process.env['ZONEWRIGHT_PORT_CLAIMS'] = before;
    if (before === undefined) delete process.env['ZONEWRIGHT_PORT_CLAIMS'];
    await rm(claims, { recursive: true });
  }
});
