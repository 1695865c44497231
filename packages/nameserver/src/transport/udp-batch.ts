import { Worker } from 'node:worker_threads';
import type { Logger } from '@zonewright/service-kit';
import type { WriteFault } from './fault-log.js';
import { type Libc, loadLibc } from './libc.js';
import { type BatchSocket, openBatchSocket } from './udp-batch-socket.js';
import type { BatchWorkerData, BatchWorkerMessage } from './udp-batch-worker.js';
import type { UdpTransport } from './udp-transport.js';

interface UdpBatchOptions {
  /** Literal addresses; 0.0.0.0 and :: stand for all addresses of the machine. */
  readonly hosts: readonly string[];
  readonly workers: number;
  readonly receiveBufferOctets: number;
  /** What a worker is given beside its sockets; called once for each. */
  readonly workerData: (readerIndex: number) => Omit<BatchWorkerData, 'sockets' | 'stopFlag'>;
  /** The compiled udp-batch-worker.js. */
  readonly workerUrl: URL;
  /** A worker ended without leaving the image. */
  readonly dismissReader: (readerIndex: number) => void;
  readonly writeFault: WriteFault;
  readonly log: Logger;
}

/** A worker that fails at once must not fail ten thousand times a second. */
const RESTART_DELAY_MS = 100;

/**
 * UDP by batches of system calls, in worker threads, each with sockets of its own over which the kernel spreads the
 * clients (design 5). The sockets are opened here, so that a port that is taken ends the start, and a worker that fails
 * leaves its sockets, with the queries in them, to its successor.
 */
export class UdpBatchTransport implements UdpTransport {
  readonly #options: UdpBatchOptions;
  readonly #libc: Libc;
  readonly #stopFlag = new Int32Array(new SharedArrayBuffer(4));
  #sockets: BatchSocket[][] = [];
  #addresses: readonly string[] = [];
  #running: Promise<void>[] = [];

  /** Throws where the system has no such calls, or koffi cannot be loaded. */
  constructor(options: UdpBatchOptions) {
    this.#options = options;
    this.#libc = loadLibc();
  }

  get addresses(): readonly string[] {
    return this.#addresses;
  }

  /** Rejects when an address cannot be bound, with nothing left open. */
  start(port: number): Promise<number> {
    return new Promise((resolve) => {
      resolve(this.#startNow(port));
    });
  }

  /** Resolves when what had come was answered and the threads have ended: within a second. */
  async stop(): Promise<void> {
    Atomics.store(this.#stopFlag, 0, 1);
    await Promise.all(this.#running);
    this.#running = [];
    this.#close();
  }

  #startNow(port: number): number {
    try {
      const boundPort = this.#open(port);
      Atomics.store(this.#stopFlag, 0, 0);
      this.#running = this.#sockets.map((sockets, index) => this.#keepRunning(sockets, index));
      return boundPort;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  #open(port: number): number {
    let boundPort = port;
    for (let worker = 0; worker < this.#options.workers; worker++) {
      const sockets: BatchSocket[] = [];
      this.#sockets.push(sockets);
      this.#addresses = this.#bindAll((address, isDualStack) => {
        const { receiveBufferOctets } = this.#options;
        const options = { receiveBufferOctets, isDualStack };
        const socket = openBatchSocket(this.#libc, address, boundPort, options);
        // The first socket may have been given a port; the others join it there.
        boundPort = socket.port;
        sockets.push(socket);
      });
    }
    return boundPort;
  }

  /** One socket for both wildcards: a thread can wait for one without asking which of several has something. */
  #bindAll(bind: (address: string, isDualStack: boolean) => void): readonly string[] {
    const { hosts } = this.#options;
    const isDualStack = hosts.includes('0.0.0.0') && hosts.includes('::');
    const addresses = isDualStack ? hosts.filter((host) => host !== '0.0.0.0') : hosts;
    try {
      for (const address of addresses) bind(address, isDualStack);
      return hosts;
    } catch (error) {
      if (!isDualStack || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
      // A system without IPv6.
      bind('0.0.0.0', false);
      return hosts.filter((host) => host !== '::');
    }
  }

  #close(): void {
    for (const { fd } of this.#sockets.flat()) this.#libc.close(fd);
    this.#sockets = [];
    this.#addresses = [];
  }

  /** Runs a worker, and another one in its place when it fails, until the stop. */
  async #keepRunning(sockets: readonly BatchSocket[], readerIndex: number): Promise<void> {
    const { workerData, dismissReader, log } = this.#options;
    const data = { ...workerData(readerIndex), sockets, stopFlag: this.#stopFlag };
    while (!this.#isStopping()) {
      try {
        await this.#run(data);
        if (this.#isStopping()) return;
        log.error({ worker: readerIndex }, 'a UDP worker ended by itself; another takes its place');
      } catch (error) {
        log.error(
          { err: error, worker: readerIndex },
          'a UDP worker failed; another takes its place',
        );
      }
      dismissReader(readerIndex);
      await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
    }
  }

  /** Resolves when a worker has ended; rejects with what it threw. */
  #run(data: BatchWorkerData): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(this.#options.workerUrl, {
        workerData: data,
        name: `udp-${data.readerIndex}`,
      });
      worker.on('message', ({ fault, faults }: BatchWorkerMessage) => {
        this.#options.writeFault(fault, faults);
      });
      worker.once('error', reject);
      worker.once('exit', () => {
        resolve();
      });
    });
  }

  #isStopping(): boolean {
    return Atomics.load(this.#stopFlag, 0) === 1;
  }
}
