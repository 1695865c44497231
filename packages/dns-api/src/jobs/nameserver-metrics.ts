import { Gauge } from 'prom-client';
import type { Context } from '../context/context.js';
import { observeNameservers, type ObservedNameserver } from '@zonewright/zones';

type Read = (server: ObservedNameserver) => number | undefined;

/** Gauges by the suffix after zonewright_dns_api_nameserver_. */
const GAUGES: Readonly<Record<string, { readonly help: string; readonly read: Read }>> = {
  live: {
    help: '1 while the nameserver reports, 0 after 10 s without a report.',
    read: ({ isLive }) => Number(isLive),
  },
  lag_seconds: {
    help: 'Age of the oldest change that the nameserver has not published; 0: none.',
    read: ({ lagMs }) => lagMs && lagMs / 1_000,
  },
  heartbeat_age_seconds: {
    help: 'Time since the last report of the nameserver.',
    read: ({ report }) => report && report.heartbeatMsAgo / 1_000,
  },
  position: {
    help: 'Transaction id below which the nameserver has applied all changes.',
    read: ({ report }) => report && Number(report.appliedBefore),
  },
  zones: { help: 'Zones that the nameserver answers for.', read: ({ report }) => report?.zones },
  failed_zones: {
    help: 'Zones whose latest version the nameserver could not load.',
    read: ({ report }) => report && Object.keys(report.failedZones).length,
  },
  image_bytes: {
    help: 'Memory of the zones of the nameserver, in bytes.',
    read: ({ report }) => report?.imageOctets,
  },
};

/** Registers the values of GET /v1/nameservers as gauges. Without PostgreSQL they have no values. */
export function registerNameserverMetrics(
  context: Pick<Context, 'db' | 'publication' | 'metrics' | 'log'>,
): void {
  const { db, publication, metrics, log } = context;
  // All gauges of a scrape share one reading.
  let current: Promise<readonly ObservedNameserver[]> | undefined;
  const look = () =>
    (current ??= observeNameservers(db, publication.statuses)
      .catch((error: unknown) => {
        log.debug({ err: error }, 'the status of nameservers cannot be read');
        return [];
      })
      .finally(() => (current = undefined)));
  for (const [name, { help, read }] of Object.entries(GAUGES)) {
    new Gauge({
      name: `zonewright_dns_api_nameserver_${name}`,
      help,
      labelNames: ['nameserver'],
      registers: [metrics.registry],
      async collect() {
        const servers = await look();
        this.reset();
        for (const server of servers) {
          const value = read(server);
          if (value !== undefined) this.set({ nameserver: server.name }, value);
        }
      },
    });
  }
}
