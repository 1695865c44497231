import { createServer, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@zonewright/service-kit';

interface TurnOptions {
  readonly hosts: readonly string[];
  readonly port: number;
  /** Whether everything in PostgreSQL has been read. */
  readonly isInStep: () => boolean;
  readonly isStopped: () => boolean;
  readonly log: Logger;
}

const LOOK_INTERVAL_MS = 100;

/**
 * Resolves when this process may answer on a port that it shares. It must know everything that an older process there
 * knows, so that no zone returns to an earlier version.
 */
export async function waitForTakeover(options: TurnOptions): Promise<void> {
  const { hosts, port, isInStep, isStopped, log } = options;
  // A free port has no other listener.
  if (port === 0) return;
  for (let looks = 0; !isInStep() && !isStopped(); looks++) {
    if (!(await isPortInUse(hosts, port))) return;
    if (looks === 0) {
      log.info(
        { port },
        'another process answers queries: waiting until the zones are up to date with PostgreSQL',
      );
    }
    await delay(LOOK_INTERVAL_MS);
  }
}

/** Whether a process, including this one, listens on this TCP port of one of the addresses. */
async function isPortInUse(hosts: readonly string[], port: number): Promise<boolean> {
  for (const host of hosts) if (await isInUse(host, port)) return true;
  return false;
}

/**
 * Whether a port is in use. A listener that does not share its port is refused if any other listens, even one that
 * shares it.
 */
async function isInUse(host: string, port: number): Promise<boolean> {
  const listener = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    listener.once('error', ({ code: reason }: NodeJS.ErrnoException) => {
      resolve(reason);
    });
    listener.listen({ host, port, ipv6Only: isIPv6(host), exclusive: true }, () => {
      listener.close(() => {
        resolve(undefined);
      });
    });
  });
  return code === 'EADDRINUSE';
}
