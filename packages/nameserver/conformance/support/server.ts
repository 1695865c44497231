import { createLogger, readSettings, systemClock } from '@zonewright/service-kit';
import type { NameserverAddress } from '@zonewright/testkit';

import { handleQuery } from '../../src/answer/handle-query.js';
import { createTransports } from '../../src/create-transports.js';
import { compileZone } from '../../src/compile/compile-zone.js';
import { ImageWriter } from '../../src/image/image-writer.js';
import { IMAGE_STATE } from '../../src/image/layout.js';
import type { ZoneContent } from '../../src/compile/zone-tree.js';
import { NAMESERVER_SETTINGS } from '../../src/settings/settings.js';
import {
  createTransportCounters,
  type TransportCounters,
} from '../../src/stats/transport-counters.js';
import { startTransports } from '../../src/transport/start-transports.js';
import { readConformanceZones } from './zones.js';

/** Threads run the compiled code, while the rest of a test runs from its sources. */
export const BATCH_WORKER_URL = new URL('../../dist/udp/udp-batch-worker.js', import.meta.url);

const IMAGE_OCTETS = 4 * 1024 * 1024;

/** The transport of a query to a server over UDP. */
export type UdpName = 'UDP' | 'UDP by dgram';

export interface RunningServer {
  readonly address: NameserverAddress;
  /** The address at which our server answers UDP by node:dgram; for another server it equals `address`. */
  readonly dgramAddress: NameserverAddress;
  /** The counters of our own server; undefined for another. */
  readonly counters: TransportCounters | undefined;
  readonly dgramCounters: TransportCounters | undefined;
  readonly stop: () => Promise<void>;
}

/** The address `host:port` of a server to test instead of this one; it must serve the zones of conformance/zones. */
const OTHER_SERVER = process.env['DNS_TEST_SERVER'];

/** Whether another server is tested. Tests of behaviour that the RFCs leave to each server apply only to ours. */
export const isOtherServer = OTHER_SERVER !== undefined && OTHER_SERVER !== '';

/** Starts the server under test: ours, or the one that DNS_TEST_SERVER names. */
export async function startServer(): Promise<RunningServer> {
  if (isOtherServer) {
    const address = parseAddress(OTHER_SERVER ?? '');
    return {
      address,
      dgramAddress: address,
      counters: undefined,
      dgramCounters: undefined,
      stop: () => Promise.resolve(),
    };
  }
  return await startOurServer(readConformanceZones());
}

/** Starts our server with real sockets but without a database. */
export async function startOurServer(zones: readonly ZoneContent[]): Promise<RunningServer> {
  const image = ImageWriter.create(IMAGE_OCTETS);
  for (const zone of zones) image.put(compileZone(zone));
  image.setState(IMAGE_STATE.CURRENT);
  const main = await startOurs(image, 'auto');
  const dgram = await startOurs(image, 'dgram');
  return {
    address: main.address,
    dgramAddress: dgram.address,
    counters: main.counters,
    dgramCounters: dgram.counters,
    stop: async () => {
      await Promise.all([main.stop(), dgram.stop()]);
    },
  };
}

async function startOurs(image: ImageWriter, udpTransport: string) {
  const counters = createTransportCounters();
  const { tcp, udp } = createTransports({
    settings: readSettings(NAMESERVER_SETTINGS, {
      DATABASE_URL: 'postgres://none.invalid/none',
      NAMESERVER_NAME: 'ns1-1',
      NAMESERVER_HOST: '127.0.0.1',
      NAMESERVER_UDP_TRANSPORT: udpTransport,
      NAMESERVER_UDP_WORKERS: '1',
      NAMESERVER_VERSION_TEXT: 'conformance',
      NAMESERVER_COOKIE_SECRETS: 'e5e973e5a6b2a43f48e7dc849e37bfcf',
    }),
    image,
    counters,
    handleQuery,
    listAddresses: undefined,
    answerRelayed: undefined,
    batchWorkerUrl: BATCH_WORKER_URL,
    clock: systemClock,
    log: createLogger('conformance', 'error'),
  });
  const port = await startTransports(tcp, udp, 0);
  return {
    address: { host: '127.0.0.1', port },
    counters,
    stop: async () => {
      await Promise.all([tcp.stop(), udp.stop()]);
    },
  };
}

function parseAddress(text: string): NameserverAddress {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}
