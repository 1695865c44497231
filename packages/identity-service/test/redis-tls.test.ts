import { expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { RedisConnection } from '@zonewright/accounts';

/** The first octet of a TLS handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 0x16;

it('rediss: uses TLS from the first octet on, so that no password is sent in clear text', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const redis = new RedisConnection({
    url: `rediss://:hidden@127.0.0.1:${(server.address() as AddressInfo).port}`,
    keyPrefix: 'zonewright:',
    log: createLogger('test', 'silent'),
  });
  redis.start();
  const [socket] = await connected;
  const [octets] = (await once(socket, 'data')) as [Buffer];
  expect(octets[0]).toBe(HANDSHAKE);
  expect(octets.includes('hidden')).toBe(false);
  socket.destroy();
  server.close();
  redis.stop();
});
