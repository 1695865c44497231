import { afterEach } from '@jest/globals';
import { createLogger, readSettings } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { NAMESERVER_SETTINGS, NameserverService } from '../../src/index.js';
import { BATCH_WORKER_URL } from '../../conformance/support/server.js';
import type { NameserverOverrides } from '../../src/service.js';

/** A nameserver that runs in the test's own process. */
export interface RunningNameserver {
  readonly host: string;
  readonly port: number;
  /** The URL of health and metrics. */
  readonly operations: string;
  /** The log lines so far, parsed. */
  readonly logLines: readonly Record<string, unknown>[];
  stop(): Promise<void>;
}

/**
 * The time limit for reading the zones. A few zones take milliseconds, but on a busy machine PostgreSQL may have to
 * wait.
 */
const LOADED_DEADLINE_MS = 15_000;
const IMAGE_OCTETS = String(32 * 1024 * 1024);
const running = new Set<NameserverService>();

/** Starts a nameserver on free loopback ports; it is stopped at the end of the test at the latest. */
export async function startNameserver(
  variables: Readonly<Record<string, string>>,
  overrides: NameserverOverrides = {},
): Promise<RunningNameserver> {
  const settings = readSettings(NAMESERVER_SETTINGS, {
    NAMESERVER_HOST: '127.0.0.1',
    NAMESERVER_PORT: '0',
    NAMESERVER_OPERATIONS_HOST: '127.0.0.1',
    NAMESERVER_OPERATIONS_PORT: '0',
    NAMESERVER_IMAGE_BYTES: IMAGE_OCTETS,
    // This transport runs in the test's own thread, so that the test can replace its clock and answers.
    NAMESERVER_UDP_TRANSPORT: 'dgram',
    NAMESERVER_UDP_WORKERS: '2',
    ...variables,
  });
  const logLines: Record<string, unknown>[] = [];
  const log = createLogger('nameserver', 'debug', {
    write: (line) => {
      logLines.push(JSON.parse(line) as Record<string, unknown>);
    },
  });
  const service = NameserverService.create(settings, {
    log,
    batchWorkerUrl: BATCH_WORKER_URL,
    ...overrides,
  });
  running.add(service);
  const { dns = '', operations = '' } = await service.start();
  const { hostname, port } = new URL(`dns://${dns}`);
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port),
    operations,
    logLines,
    stop: async () => {
      running.delete(service);
      await service.stop();
    },
  };
}

/** Starts a nameserver and waits until it has read the zones. */
export async function startLoadedNameserver(
  variables: Readonly<Record<string, string>>,
  overrides: NameserverOverrides = {},
): Promise<RunningNameserver> {
  const server = await startNameserver(variables, overrides);
  await waitFor(
    async () => (await fetch(`${server.operations}/readyz`)).status === 200,
    LOADED_DEADLINE_MS,
  );
  return server;
}

afterEach(async () => {
  await Promise.all([...running].map((service) => service.stop()));
  running.clear();
});

/**
 * Returns the value of one metric with exactly these labels, as Prometheus would read it; 0 if there is no such line.
 */
export async function readMetric(server: RunningNameserver, line: string): Promise<number> {
  const response = await fetch(`${server.operations}/metrics`);
  const text = await response.text();
  const [name = ''] = line.split('{');
  if (!new RegExp(`^# TYPE ${name.replace(/_(?:bucket|sum|count)$/, '')}`, 'm').test(text)) {
    throw new Error(`There is no metric ${name}.`);
  }
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}
