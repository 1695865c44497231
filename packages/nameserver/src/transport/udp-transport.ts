import type { TsigKey } from '@zonewright/dns-records';
import type { QueryContext } from '../answer/query-context.js';

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
