import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that a system gives to clients (from 32768 on): any connection might take one of those meanwhile. */
const LEAST = 20_000;
const MOST = 32_767;
const ATTEMPTS = 100;

/**
 * A port of loopback that is free now, for TCP and UDP; for servers that cannot be asked to choose one themselves.
 * @throws Error when none is found.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LEAST, MOST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${LEAST} and ${MOST} was found.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const socket = createSocket('udp4');
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
    await new Promise((resolve) => server.close(resolve));
  }
}
