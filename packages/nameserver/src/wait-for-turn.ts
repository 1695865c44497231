import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@zonewright/service-kit';
import { isPortInUse } from './transport/port-in-use.js';

interface TurnOptions {
  readonly hosts: readonly string[];
  readonly port: number;
  /** Has all been read that is in PostgreSQL now? */
  readonly isInStep: () => boolean;
  readonly isStopped: () => boolean;
  readonly log: Logger;
}

const LOOK_INTERVAL_MS = 100;

/**
 * Resolves when this process may answer on a port that it shares. It must know what an older process there knows, so
 * that no zone goes back, or there must not be an older process.
 */
export async function waitForTurn(options: TurnOptions): Promise<void> {
  const { hosts, port, isInStep, isStopped, log } = options;
  // Any free port is nobody else's.
  if (port === 0) return;
  for (let looks = 0; !isInStep() && !isStopped(); looks++) {
    if (!(await isPortInUse(hosts, port))) return;
    if (looks === 0) {
      log.info(
        { port },
        'another process answers: waiting until the zones are in step with PostgreSQL',
      );
    }
    await delay(LOOK_INTERVAL_MS);
  }
}
