import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Port that a part of the platform needs. */
export interface RequiredPort {
  readonly port: number;
  /** Name of the owner for messages: "the DNS API". */
  readonly owner: string;
  /** Variable that sets another port. */
  readonly variable: string;
  readonly udp: boolean;
}

const HOST = '127.0.0.1';

/** Returns a sentence for each needed port that another program uses. */
export async function describeBusyPorts(wanted: readonly RequiredPort[]): Promise<string[]> {
  const sentences: string[] = [];
  for (const { port, owner, variable, udp } of wanted) {
    if (port === 0 || ((await isFreeTcp(port)) && (!udp || (await isFreeUdp(port))))) continue;
    sentences.push(
      `Port ${port}, for ${owner}, is in use by another program. Set ${variable} to a free one: ${variable}=${suggest(port)} npm start`,
    );
  }
  return sentences;
}

/** Suggests another port. The highest one is 65535. */
function suggest(port: number): number {
  return port + 1000 <= 65_535 ? port + 1000 : port - 1000;
}

async function isFreeTcp(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, HOST, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

async function isFreeUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return await new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, HOST, () => {
      socket.close(() => {
        resolve(true);
      });
    });
  });
}
