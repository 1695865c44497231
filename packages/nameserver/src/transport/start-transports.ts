import type { TcpServer } from './tcp-server.js';
import type { UdpTransport } from './transport.js';

/** Number of ports that are tried if any port is allowed: one that is free for TCP may be taken for UDP. */
const ATTEMPTS = 20;

/**
 * Starts TCP and UDP on one port and returns it. If `port` is 0, the port is chosen. If this is not possible, nothing
 * is left open and the error explains why.
 */
export async function startTransports(
  tcp: TcpServer,
  udp: UdpTransport,
  port: number,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await udp.start(await tcp.start(port));
    } catch (error) {
      await Promise.all([tcp.stop(), udp.stop()]);
      const mayTryAnother = port === 0 && attempt < ATTEMPTS;
      if (mayTryAnother && (error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw inWords(error, port);
    }
  }
}

function inWords(error: unknown, port: number): unknown {
  const { code, address } = error as NodeJS.ErrnoException & { address?: string };
  const where = `port ${port} of ${address ?? 'this machine'}`;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(`Another program uses ${where}; NAMESERVER_PORT sets another port.`, {
        cause: error,
      });
    case 'EACCES':
      return new Error(
        `This user may not listen on ${where}; NAMESERVER_PORT sets another port, above 1023.`,
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
      return new Error(
        `This machine has no address ${address ?? ''}; NAMESERVER_HOST sets the addresses.`,
        { cause: error },
      );
    default:
      return error;
  }
}
