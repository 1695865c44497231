import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { TsigKey } from '@zonewright/dns-records';
import { type Logger, sourceNetwork } from '@zonewright/service-kit';
import type { UdpTransport, WriteFault } from '../transport/transport.js';
import { type Libc, loadLibc } from '../transport/libc.js';
import {
  bindBatchSocket,
  type BatchSocket,
  leaveAddress,
  openBatchSocket,
} from './udp-batch-socket.js';
import type { AnswerRelayed } from '../relay/received-message.js';
import { sourceText } from '../transport/source-address.js';
import { BatchBuffers } from './udp-batch-buffers.js';
import type { UdpRelayed } from './udp-batch-loop.js';
import { RelayIntake } from './relay-intake.js';
import { RelayQueue } from './udp-relay-queue.js';
import type { BatchWorkerData, BatchWorkerMessage } from './udp-batch-worker.js';

interface UdpBatchOptions {
  /** Literal addresses. 0.0.0.0 and :: include all addresses of the machine. */
  readonly hosts: readonly string[];
  readonly workers: number;
  readonly receiveBufferOctets: number;
  /** Whether another process may take over the addresses at the stop, so that new messages are left to it. */
  readonly isHandedOver: boolean;
  /** Returns the data of a worker except its sockets; called once for each worker. */
  readonly workerData: (
    readerIndex: number,
  ) => Omit<WorkerData, 'sockets' | 'stopFlag' | 'isRelaying'>;
  /** Path of the compiled udp-batch-worker.js. */
  readonly workerUrl: URL;
  /** Called when a worker ended without leaving the image. */
  readonly dismissReader: (readerIndex: number) => void;
  readonly writeFault: WriteFault;
  /** Undefined if updates are refused, and only the keys of peers are known. */
  readonly answerRelayed: AnswerRelayed | undefined;
  readonly log: Logger;
}

/** Data of a worker that its successor keeps. */
type WorkerData = Omit<BatchWorkerData, 'keys' | 'relayQueue'>;

// Linux, the same on x86-64 and arm64.
const MSG_DONTWAIT = 0x40;
/** Upper limit of NAMESERVER_UDP_MAX_PAYLOAD_BYTES. */
const MAX_ANSWER_OCTETS = 4_096;

/** Delay before a restart, so that a worker which fails at once does not fail thousands of times a second. */
const RESTART_DELAY_MS = 100;
/** Delay after leaving the addresses, for messages that the kernel is about to queue. */
const LEAVE_MS = 20;

/**
 * UDP with batched system calls in worker threads. Each thread has separate sockets, and the kernel distributes the
 * clients among them. They are opened here, so that a busy port fails the start. A failed worker leaves its sockets,
 * with their queues, to its successor. The sockets are bound only when the workers wait for queries: while an older
 * process answers, no query may wait for a thread to start.
 */
export class UdpBatchTransport implements UdpTransport {
  readonly #options: UdpBatchOptions;
  readonly #libc: Libc;
  readonly #stopFlag = new Int32Array(new SharedArrayBuffer(4));
  #sockets: BatchSocket[][] = [];
  #addresses: readonly string[] = [];
  #port = 0;
  #running: Promise<void>[] = [];
  readonly #workers = new Set<Worker>();
  #answerBuffers: BatchBuffers | undefined;
  #keys: readonly TsigKey[] = [];

  /** @throws Error if the system lacks these calls or koffi cannot be loaded */
  constructor(options: UdpBatchOptions) {
    this.#options = options;
    this.#libc = loadLibc();
  }

  get addresses(): readonly string[] {
    return this.#addresses;
  }

  /** Rejects if an address cannot be bound. Nothing is left open then. */
  async start(port: number): Promise<number> {
    Atomics.store(this.#stopFlag, 0, 0);
    try {
      this.#open();
      await this.#startWorkers();
      if (this.#isStopping())
        throw new Error('The UDP transport was stopped before it had started.');
      this.#port = this.#bind(port);
      return this.#port;
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  /** Sends the keys to the workers, which read them when a query is signed. */
  readonly setKeys = (keys: readonly TsigKey[]) => {
    // Secrets are copied: a secret may be part of a larger buffer, which a message would copy as a whole.
    this.#keys = keys.map((key) => ({ ...key, secret: Uint8Array.from(key.secret) }));
    for (const worker of this.#workers) worker.postMessage(this.#keys);
  };

  /** Resolves when all received queries are answered and the threads have ended, within a second. */
  async stop(): Promise<void> {
    if (this.#options.isHandedOver && this.#sockets.length > 0) await this.#leaveAddresses();
    await this.#end();
  }

  #open(): void {
    for (let worker = 0; worker < this.#options.workers; worker++) {
      const sockets: BatchSocket[] = [];
      this.#sockets.push(sockets);
      this.#addresses = this.#openAll((address, isDualStack) => {
        const { receiveBufferOctets } = this.#options;
        sockets.push(openBatchSocket(this.#libc, address, { receiveBufferOctets, isDualStack }));
      });
    }
  }

  /** Resolves when each worker waits for queries, or has failed and will be replaced. */
  async #startWorkers(): Promise<void> {
    const { workerData } = this.#options;
    await Promise.all(
      this.#sockets.map(async (sockets, readerIndex) => {
        const data = {
          ...workerData(readerIndex),
          sockets,
          isRelaying: this.#options.answerRelayed !== undefined,
          stopFlag: this.#stopFlag,
        };
        await new Promise<void>((resolve) => {
          this.#running.push(this.#keepRunning(data, resolve));
        });
      }),
    );
  }

  /** Returns the port. With port 0 the first socket gets a free one, and the others use the same. */
  #bind(port: number): number {
    let boundPort = port;
    for (const socket of this.#sockets.flat()) {
      boundPort = bindBatchSocket(this.#libc, socket, boundPort);
    }
    return boundPort;
  }

  async #leaveAddresses(): Promise<void> {
    try {
      for (const socket of this.#sockets.flat()) leaveAddress(this.#libc, socket, this.#port);
    } catch (error) {
      this.#options.log.warn(
        { err: error },
        'queries that arrive while a UDP socket closes are lost',
      );
    }
    await delay(LEAVE_MS);
  }

  async #end(): Promise<void> {
    Atomics.store(this.#stopFlag, 0, 1);
    await Promise.all(this.#running);
    this.#running = [];
    for (const { fd } of this.#sockets.flat()) this.#libc.close(fd);
    this.#answerBuffers?.free();
    this.#answerBuffers = undefined;
    this.#sockets = [];
    this.#addresses = [];
  }

  /**
   * Opens all sockets. One socket serves both wildcards, so that a thread can block on it instead of polling several.
   */
  #openAll(open: (address: string, isDualStack: boolean) => void): readonly string[] {
    const { hosts } = this.#options;
    const isDualStack = hosts.includes('0.0.0.0') && hosts.includes('::');
    const addresses = isDualStack ? hosts.filter((host) => host !== '0.0.0.0') : hosts;
    try {
      for (const address of addresses) open(address, isDualStack);
      return hosts;
    } catch (error) {
      if (!isDualStack || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
      // The system has no IPv6.
      open('0.0.0.0', false);
      return hosts.filter((host) => host !== '::');
    }
  }

  /** Runs a worker and replaces it when it fails, until the stop. `onStarted` may be called several times. */
  async #keepRunning(data: WorkerData, onStarted: () => void): Promise<void> {
    const { dismissReader, log } = this.#options;
    const worker = data.readerIndex;
    while (!this.#isStopping()) {
      try {
        await this.#run(data, onStarted);
        if (this.#isStopping()) return;
        log.error({ worker }, 'a UDP worker ended unexpectedly; starting another one');
      } catch (error) {
        log.error({ err: error, worker }, 'a UDP worker failed; starting another one');
      }
      dismissReader(worker);
      await delay(RESTART_DELAY_MS);
    }
  }

  /** Resolves when a worker has ended; rejects with its error. */
  async #run(data: WorkerData, onStarted: () => void): Promise<void> {
    // Each start of a worker gets a new queue, so messages of a failed worker do not count for its successor.
    const memory = RelayQueue.create();
    const queue = new RelayQueue(memory);
    const intake = new RelayIntake<UdpRelayed>((relayed) => {
      queue.leave(relayed.source);
      void this.#answerRelayed(relayed);
    });
    const worker = new Worker(this.#options.workerUrl, {
      workerData: { ...data, keys: this.#keys, relayQueue: memory } satisfies BatchWorkerData,
      name: `udp-${data.readerIndex}`,
    });
    this.#workers.add(worker);
    worker.on('message', (message: BatchWorkerMessage) => {
      if (message === 'started') onStarted();
      else if ('relayed' in message) {
        const { source } = message.relayed;
        intake.add(sourceNetwork(sourceText(source)), message.relayed);
      } else this.#options.writeFault(message.fault, message.faults);
    });
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once('error', reject);
        worker.once('exit', () => {
          resolve();
        });
      });
    } finally {
      this.#workers.delete(worker);
      onStarted();
    }
  }

  /** Sends a response by the socket of its query, from the address that was queried. */
  async #answerRelayed({
    octets,
    answer: unsigned,
    hasCookie,
    source,
    origin,
    socket,
  }: UdpRelayed): Promise<void> {
    const answer = await this.#options.answerRelayed?.({
      octets,
      answer: unsigned,
      hasCookie,
      source: sourceText(source),
      transport: 'udp',
    });
    if (answer === undefined || answer.length > MAX_ANSWER_OCTETS || this.#isStopping()) return;
    const buffers = (this.#answerBuffers ??= new BatchBuffers(this.#libc, MAX_ANSWER_OCTETS));
    buffers.setOrigin(origin);
    buffers.messages.set(answer, buffers.answerStart(0));
    buffers.address(0, answer.length, 0, socket);
    // A response that the kernel does not accept at once is lost, as is possible over UDP.
    this.#libc.sendmmsg(socket.fd, buffers.answerHeaders, 1, MSG_DONTWAIT);
  }

  #isStopping(): boolean {
    return Atomics.load(this.#stopFlag, 0) === 1;
  }
}
