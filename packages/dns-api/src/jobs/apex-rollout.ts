import { isDatabaseUnavailable } from '@zonewright/database';
import { readApexProgress, rolloutApex } from '@zonewright/zones';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context/context.js';

/** The interval of the checks for zones to update. */
const IDLE_MS = 1_000;

/**
 * Updates all zones to the latest servers and SOA times (ADR 0025), a few at a time, while the service runs. The progress is in the rows,
 * so another process continues after a restart.
 */
export class ApexRollout {
  readonly #context: Context;
  readonly #countRaised: (zones: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(context: Context) {
    this.#context = context;
    this.#countRaised = registerApexMetrics(context);
  }

  start(): void {
    this.#schedule(IDLE_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#raise().then((restMs) => {
        this.#schedule(restMs);
      });
    }, ms);
    this.#timer.unref();
  }

  /** @returns the pause in milliseconds */
  async #raise(): Promise<number> {
    const { db, settings, clock, log } = this.#context;
    const { zonesPerSecond } = settings.apex;
    try {
      const batch = await rolloutApex(db, { zonesPerSecond, clock });
      if (batch === undefined) return IDLE_MS;
      this.#countRaised(batch.raised);
      return batch.restMs;
    } catch (error) {
      // Requests report that the database is not available.
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
      log[level]({ err: error }, 'zones cannot get the latest nameservers; trying again');
      return IDLE_MS;
    }
  }
}

/** @returns the number of zones with a new serial */
function registerApexMetrics({
  db,
  metrics,
  log,
}: Pick<Context, 'db' | 'metrics' | 'log'>): (zones: number) => void {
  const registers = [metrics.registry];
  new Gauge({
    name: 'zonewright_dns_api_apex_outdated_zones',
    help: 'Zones that do not have the latest nameservers and SOA times yet.',
    registers,
    async collect() {
      try {
        this.set((await readApexProgress(db)).outdated);
      } catch (error) {
        log.debug({ err: error }, 'outdated zones cannot be counted');
      }
    },
  });
  const raised = new Counter({
    name: 'zonewright_dns_api_apex_raised_zones_total',
    help: 'Zones that got a new serial because nameservers or SOA times changed.',
    registers,
  });
  return (zones) => {
    raised.inc(zones);
  };
}
