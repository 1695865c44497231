import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** @returns the port; the system chooses it if it was 0 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Ports below the range that the system gives to clients (from 32768), where any connection could take one. */
const LEAST = 20_000;
const MOST = 32_767;
const ATTEMPTS = 100;

/**
 * Finds a loopback port that is free for TCP and UDP, for servers that cannot choose one. Processes that share a folder
 * in ZONEWRIGHT_PORT_CLAIMS never get the same port: a test run starts hundreds of servers, and each takes a while
 * until it listens.
 * @throws Error if none is found
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LEAST, MOST + 1);
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  throw new Error(`No free port between ${LEAST} and ${MOST} was found.`);
}

/** Claims the port. Returns false if another process has claimed it. */
async function claim(port: number): Promise<boolean> {
  const folder = process.env['ZONEWRIGHT_PORT_CLAIMS'];
  if (folder === undefined) return true;
  return await writeFile(join(folder, String(port)), '', { flag: 'wx' }).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'EEXIST',
  );
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
