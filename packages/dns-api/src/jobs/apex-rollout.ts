import { readApexProgress, rolloutApex } from '@zonewright/zones';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context/context.js';
import { RepeatedJob } from './repeated-job.js';

/** The interval of the checks for zones to update. */
const IDLE_MS = 1_000;

/**
 * Updates all zones to the latest servers and SOA times (ADR 0025), a few at a time, while the service runs. The
 * progress is in the rows, so another process continues after a restart.
 */
export class ApexRollout extends RepeatedJob {
  readonly #context: Context;
  readonly #countRaised: (zones: number) => void;

  constructor(context: Context) {
    const onFailure = 'zones cannot get the latest nameservers; trying again';
    super({ log: context.log, restMs: IDLE_MS, onFailure });
    this.#context = context;
    this.#countRaised = registerApexMetrics(context);
  }

  override async run(): Promise<void> {
    const { db, settings, clock } = this.#context;
    const { zonesPerSecond } = settings.apex;
    const batch = await rolloutApex(db, { zonesPerSecond, clock });
    if (batch === undefined) return;
    this.#countRaised(batch.raised);
    this.restMs = batch.restMs;
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
