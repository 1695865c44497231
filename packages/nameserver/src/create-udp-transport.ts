import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Clock, Logger } from '@zonewright/service-kit';
import { ImageReader } from './image/image-reader.js';
import type { ImageWriter } from './image/image-writer.js';
import type { AnswerSettings } from './message/answer-settings.js';
import { type FindKey, QueryContext } from './message/query-context.js';
import type { AnswerRelayed } from './relay/received-message.js';
import type { NameserverSettings } from './settings/settings.js';
import type { TransportCounters } from './stats/transport-counters.js';
import type { listLocalAddresses } from './transport/source-address.js';
import {
  FaultLog,
  type HandleQuery,
  type UdpTransport,
  type WriteFault,
} from './transport/transport.js';
import { createRateLimitTable, RateLimiter } from './udp/rate-limiter.js';
import { UdpBatchTransport } from './udp/udp-batch.js';
import { UdpDgramTransport } from './udp/udp-dgram.js';

interface UdpTransportOptions {
  readonly settings: NameserverSettings;
  readonly answerSettings: AnswerSettings;
  readonly image: ImageWriter;
  readonly counters: TransportCounters;
  /** Used by dgram only. Each worker creates a handler. */
  readonly handleQuery: HandleQuery;
  readonly listAddresses: typeof listLocalAddresses | undefined;
  /** Used by dgram only. Workers receive the keys in messages. */
  readonly findKey: FindKey | undefined;
  readonly answerRelayed: AnswerRelayed | undefined;
  readonly batchWorkerUrl: URL;
  readonly writeFault: WriteFault;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Creates the UDP transport of the settings. It opens nothing yet. */
export function createUdpTransport(options: UdpTransportOptions): UdpTransport {
  const { settings, log } = options;
  switch (settings.udp.transport) {
    case 'dgram':
      return createDgram(options);
    case 'batch':
      return createBatch(options);
    case 'auto':
      try {
        return createBatch(options);
      } catch (error) {
        log.info({ reason: (error as Error).message }, 'UDP uses node:dgram, in one thread');
        return createDgram(options);
      }
  }
}

function createDgram(options: UdpTransportOptions): UdpTransport {
  const { settings, answerSettings, image, counters, clock, log } = options;
  const { rateLimit } = settings;
  const reader = new ImageReader(image.buffer);
  return new UdpDgramTransport({
    hosts: settings.listen.hosts,
    handleQuery: options.handleQuery,
    createContext: () => {
      const context = new QueryContext(reader, answerSettings);
      context.findKey = options.findKey ?? null;
      return context;
    },
    maxPayloadOctets: settings.udp.maxPayloadOctets,
    receiveBufferOctets: settings.udp.receiveBufferOctets,
    rateLimiter: rateLimit.enabled
      ? new RateLimiter(createRateLimitTable(rateLimit.tableEntries), rateLimit)
      : undefined,
    exemptNetworks: rateLimit.exemptNetworks,
    listAddresses: options.listAddresses,
    counters: counters.addUdpThread(),
    faults: new FaultLog(options.writeFault, clock),
    answerRelayed: options.answerRelayed,
    clock,
    log,
  });
}

/** @throws Error if batches are not available */
function createBatch(options: UdpTransportOptions): UdpTransport {
  const { settings, answerSettings, image, counters, log } = options;
  const { enabled, tableEntries, exemptNetworks, ...limits } = settings.rateLimit;
  const rateLimit = enabled ? { ...limits, table: createRateLimitTable(tableEntries) } : undefined;
  return new UdpBatchTransport({
    hosts: settings.listen.hosts,
    workers: settings.udp.workers === 0 ? defaultWorkers() : settings.udp.workers,
    receiveBufferOctets: settings.udp.receiveBufferOctets,
    workerData: (readerIndex) => ({
      image: image.buffer,
      readerIndex,
      answerSettings,
      rateLimit,
      exemptNetworks,
      maxPayloadOctets: settings.udp.maxPayloadOctets,
      counters: counters.addUdpThread().buffer,
    }),
    isHandedOver: settings.listen.isHandedOver,
    workerUrl: options.batchWorkerUrl,
    dismissReader: (readerIndex) => {
      image.dismissReader(readerIndex);
    },
    writeFault: options.writeFault,
    answerRelayed: options.answerRelayed,
    log,
  });
}

/** Each thread takes about 20 MiB. More threads than this must be configured. */
const MOST = 8;
/** CPU limit of the container (cgroup v2): microseconds of CPU in each period, or `max`. */
const CPU_MAX_FILE = '/sys/fs/cgroup/cpu.max';

/** Returns the default number of UDP threads: one for each core that this process may use, up to a limit. */
function defaultWorkers(): number {
  return countDefaultWorkers(availableParallelism(), readCpuMax());
}

/** @param cpuMax the text of cpu.max. A CPU limit hides no cores, so counting cores is not enough. */
export function countDefaultWorkers(cores: number, cpuMax: string | undefined): number {
  const [, quota, period] = /^(\d+) (\d+)/.exec(cpuMax ?? '') ?? [];
  const allowed = quota === undefined ? cores : Math.ceil(Number(quota) / Number(period));
  return Math.max(1, Math.min(cores, allowed, MOST));
}

/** Returns undefined on other systems and with cgroup v1. */
function readCpuMax(): string | undefined {
  try {
    return readFileSync(CPU_MAX_FILE, 'utf8');
  } catch {
    return undefined;
  }
}
