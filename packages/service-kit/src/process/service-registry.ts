import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

interface ServiceRegistryOptions {
  /** As its log and its container are called. */
  readonly service: string;
  /** The package.json that says its version. */
  readonly manifest: URL;
  /** How many connections to PostgreSQL it may open, of whatever kind. */
  readonly mostConnections: () => number;
  /** What names of metrics begin with, and what they began with before, under which they are shown as well until version 0.2. */
  readonly formerNames?: Readonly<Record<string, string>>;
}

/** How often the delay of the event loop is sampled: each sample wakes an idle process. */
const EVENT_LOOP_SAMPLE_MS = 50;

/** The metrics of one service, with those of its process and what was built: all that a service of ours has in common. */
export class ServiceRegistry extends Registry {
  readonly #formerNames: readonly (readonly [string, string])[];

  constructor(options: ServiceRegistryOptions) {
    super();
    const { service, manifest, mostConnections, formerNames = {} } = options;
    this.#formerNames = Object.entries(formerNames);
    collectDefaultMetrics({
      register: this,
      eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
    });
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    new Gauge({
      name: 'zonewright_build_info',
      help: 'Always 1; the labels say what runs here.',
      labelNames: ['service', 'version', 'node'],
      registers: [this],
    }).set({ service, version, node: process.versions.node }, 1);
    new Gauge({
      name: 'zonewright_database_connections_max',
      help: 'Connections to PostgreSQL that this process opens at most: of its pools, and for notifications.',
      registers: [this],
      collect() {
        this.set(mostConnections());
      },
    });
  }

  override async metrics(): Promise<string> {
    const text = await super.metrics();
    return this.#formerNames.reduce(
      (all, [name, former]) => all + renamed(text, name, former),
      text,
    );
  }
}

/** The metrics of the text whose names begin with `name`, by their former names. */
function renamed(text: string, name: string, former: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, start, rest] = /^(# HELP |# TYPE |)(.*)$/.exec(line) ?? [];
    if (start === undefined || rest?.startsWith(name) !== true) continue;
    const full = rest.split(' ')[0] ?? '';
    lines.push(
      start === '# HELP '
        ? `# HELP ${former}${full.slice(name.length)} Former name of ${full}.`
        : `${start}${former}${rest.slice(name.length)}`,
    );
  }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}
