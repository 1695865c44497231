import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

interface ServiceRegistryOptions {
  /** Name of the service in its log and container. */
  readonly service: string;
  /** Path of the package.json with the version. */
  readonly manifest: URL;
  /** Returns the maximum number of PostgreSQL connections of all kinds. */
  readonly mostConnections: () => number;
  /** Returns the time of the last refused statement, in milliseconds since 1970, by SQLSTATE. */
  readonly refusals: () => ReadonlyMap<string, number>;
}

/** Sampling interval of the event loop's delay. Each sample wakes an idle process. */
const EVENT_LOOP_SAMPLE_MS = 50;

/** Metrics of one service, including those of its process and build, which all services have. */
export class ServiceRegistry extends Registry {
  constructor(options: ServiceRegistryOptions) {
    super();
    const { service, manifest } = options;
    collectDefaultMetrics({
      register: this,
      eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
    });
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    new Gauge({
      name: 'zonewright_build_info',
      help: 'Always 1; the labels describe the build.',
      labelNames: ['service', 'version', 'node'],
      registers: [this],
    }).set({ service, version, node: process.versions.node }, 1);
    this.#describeDatabase(options);
  }

  #describeDatabase({ mostConnections, refusals }: ServiceRegistryOptions): void {
    new Gauge({
      name: 'zonewright_database_connections_max',
      help: 'Maximum connections to PostgreSQL of this process.',
      registers: [this],
      collect() {
        this.set(mostConnections());
      },
    });
    new Gauge({
      name: 'zonewright_database_refused_timestamp_seconds',
      help: 'Last time at which PostgreSQL refused a statement for a reason that an operator must correct, by SQLSTATE: full disk, no memory, missing right.',
      labelNames: ['sqlstate'],
      registers: [this],
      collect() {
        for (const [sqlstate, at] of refusals()) this.set({ sqlstate }, at / 1_000);
      },
    });
  }
}
