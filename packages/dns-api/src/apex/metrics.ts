import { readApexProgress } from '@zonewright/zones';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context/context.js';

/** @returns what counts zones that were raised */
export function registerApexMetrics({
  db,
  metrics,
  log,
}: Pick<Context, 'db' | 'metrics' | 'log'>): (zones: number) => void {
  const registers = [metrics.registry];
  new Gauge({
    name: 'zonewright_dns_api_apex_outdated_zones',
    help: 'Zones that do not yet show the latest nameservers and SOA times, which come with their next serial.',
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
    help: 'Zones that got their next serial because nameservers or SOA times changed.',
    registers,
  });
  return (zones) => {
    raised.inc(zones);
  };
}
