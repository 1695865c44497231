import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { TsigKey } from '@zonewright/dns-records';
import { systemClock } from '@zonewright/service-kit';
import type { AnswerSettings } from '../message/answer-settings.js';
import { handleQuery } from '../answer/handle-query.js';
import { QueryContext } from '../message/query-context.js';
import { ImageReader } from '../image/image-reader.js';
import { UdpCounters } from '../stats/transport-counters.js';
import { FaultLog } from '../transport/transport.js';
import { loadLibc } from '../transport/libc.js';
import type { Network } from '../transport/source-address.js';
import { RateLimiter, type RateLimiterOptions, type RateLimitTable } from './rate-limiter.js';
import { BatchLoop, type UdpRelayed } from './udp-batch-loop.js';
import type { BatchSocket } from './udp-batch-socket.js';
import { RelayQueue } from './udp-relay-queue.js';

/** Data of a worker. Threads share some of it in shared memory. */
export interface BatchWorkerData {
  readonly sockets: readonly BatchSocket[];
  readonly image: SharedArrayBuffer;
  readonly readerIndex: number;
  readonly answerSettings: AnswerSettings;
  readonly rateLimit: (RateLimiterOptions & { readonly table: RateLimitTable }) | undefined;
  readonly exemptNetworks: readonly Network[];
  readonly maxPayloadOctets: number;
  readonly counters: SharedArrayBuffer;
  /** Known TSIG keys; later changes arrive as messages. */
  readonly keys: readonly TsigKey[];
  /** Whether updates, and queries with unknown keys, are relayed to the main thread. */
  readonly isRelaying: boolean;
  readonly relayQueue: SharedArrayBuffer;
  /** Its first number becomes 1 when the worker must stop. */
  readonly stopFlag: Int32Array;
}

/**
 * Message of a worker: it has started, it had faults (their number since the last message), or it relays a message.
 */
export type BatchWorkerMessage =
  | 'started'
  | { readonly fault: unknown; readonly faults: number }
  | { readonly relayed: UdpRelayed };

const data = workerData as BatchWorkerData;
const image = new ImageReader(data.image, data.readerIndex);
const faults = new FaultLog((fault, count) => {
  parentPort?.postMessage({ fault, faults: count } satisfies BatchWorkerMessage);
}, systemClock);

const context = new QueryContext(image, data.answerSettings);
context.findKey = findKey;
let keys = byName(data.keys);

const loop = new BatchLoop({
  libc: loadLibc(),
  sockets: data.sockets,
  image,
  context,
  handleQuery,
  maxPayloadOctets: data.maxPayloadOctets,
  rateLimiter: data.rateLimit && new RateLimiter(data.rateLimit.table, data.rateLimit),
  exemptNetworks: data.exemptNetworks,
  counters: new UdpCounters(data.counters),
  faults,
  onRelayed: data.isRelaying
    ? (relayed) => {
        parentPort?.postMessage({ relayed } satisfies BatchWorkerMessage);
      }
    : undefined,
  relayQueue: new RelayQueue(data.relayQueue),
  isStopped: () => Atomics.load(data.stopFlag, 0) === 1,
});
parentPort?.postMessage('started' satisfies BatchWorkerMessage);
loop.run();

/** Finds a key. The thread never returns to its event loop, so it polls for messages when it needs a key. */
function findKey(name: string): TsigKey | undefined {
  for (;;) {
    const next = parentPort === null ? undefined : receiveMessageOnPort(parentPort);
    if (next === undefined) return keys.get(name);
    keys = byName((next as { readonly message: readonly TsigKey[] }).message);
  }
}

function byName(list: readonly TsigKey[]): ReadonlyMap<string, TsigKey> {
  return new Map(list.map((key) => [key.name, key]));
}
