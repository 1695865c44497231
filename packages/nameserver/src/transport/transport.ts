import type { TsigKey } from '@zonewright/dns-records';
import type { Clock } from '@zonewright/service-kit';
import type { QueryContext } from '../message/query-context.js';

/** The one function through which transports get answers: the length of the response in `output`; 0: none. */
export type HandleQuery = (context: QueryContext) => number;

/** Something that answers queries over UDP: one socket or many, in this thread or in others. */
export interface UdpTransport {
  /** Begins to answer on `port`; returns the port, which differs if 0 was given. */
  start(port: number): Promise<number>;
  /** Addresses that are answered on now. */
  readonly addresses: readonly string[];
  /** The keys by which queries may be signed, where it does not look for them itself. */
  readonly setKeys?: (keys: readonly TsigKey[]) => void;
  stop(): Promise<void>;
}

/** Framed messages that are made while they are sent. */
export type AnswerStream = AsyncIterable<Uint8Array>;

/** A query that triggers a fault often comes again; one line tells as much as a thousand. */
const BURST_MS = 60_000;

/** Told of the first fault of a burst, and how many there were since it was told last. */
export type WriteFault = (fault: unknown, faults: number) => void;

/** Programming errors that became SERVFAIL: writes the first of a burst. */
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
