import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../src/connection/connection.js';

/** The first message of a connection, which requests TLS (PostgreSQL's protocol, section 55.2.11). */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

describe('openDatabase, sslmode', () => {
  it.each(['require', 'verify-full', 'no-verify'])(
    'sslmode=%s: requests TLS first, and sends nothing to a server without TLS',
    async (mode) => {
      const said: Buffer[] = [];
      server = createServer((socket) => {
        socket.on('data', (octets) => {
          said.push(octets);
          socket.end('N');
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const db = openDatabase({
        url: `postgres://someone:hidden@127.0.0.1:${port}/zonewright?sslmode=${mode}`,
        applicationName: 'zonewright-test',
        maxConnections: 1,
      });
      await expect(db.raw('select 1')).rejects.toThrow('does not support SSL');
      await db.destroy();
      expect(Buffer.concat(said)).toEqual(SSL_REQUEST);
    },
  );
});
