import type { TsigKey } from '@zonewright/dns-records';
import type { Clock } from '@zonewright/service-kit';
import type { QueryContext } from '../message/query-context.js';

/**
 * Function by which all transports get answers. Returns the length of the response in `output`, or 0 if there is none.
 */
export type HandleQuery = (context: QueryContext) => number;

/** UDP service with one or more sockets, in this thread or in others. */
export interface UdpTransport {
  /** Starts to answer on `port`. Returns the port, which differs if 0 was given. */
  start(port: number): Promise<number>;
  /** Addresses that are currently served. */
  readonly addresses: readonly string[];
  /** Sets the keys with which queries may be signed, if the transport does not look them up itself. */
  readonly setKeys?: (keys: readonly TsigKey[]) => void;
  stop(): Promise<void>;
}

/** Framed messages that are created while they are sent. */
export type AnswerStream = AsyncIterable<Uint8Array>;

/** Interval of log lines. A query that triggers a fault often repeats, and one line is as useful as a thousand. */
const BURST_MS = 60_000;

/** Called with the first fault of a burst, and the number of faults since the last call. */
export type WriteFault = (fault: unknown, faults: number) => void;

/** Logs programming errors that became SERVFAIL: the first of a burst. */
export class FaultLog {
  readonly #write: WriteFault;
  readonly #clock: Clock;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #unwritten = 0;

  constructor(write: WriteFault, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  report(fault: unknown): void {
    this.#unwritten++;
    const now = this.#clock.now();
    if (now - this.#writtenAt < BURST_MS) return;
    this.#writtenAt = now;
    this.#write(fault, this.#unwritten);
    this.#unwritten = 0;
  }
}
