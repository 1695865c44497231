import type { Clock } from '@zonewright/service-kit';
import { type QueryContext, TRANSPORT } from '../answer/query-context.js';
import type { QueryCounters } from '../stats/query-counters.js';
import { writeUint16 } from '../wire/octets.js';
import { TCP_OCTETS } from '../wire/protocol.js';
import type { FaultLog } from './fault-log.js';
import { LENGTH_OCTETS } from './message-framing.js';
import type { HandleQuery } from './udp-transport.js';

interface TcpAnswerOptions {
  readonly handleQuery: HandleQuery;
  /** For TCP alone: queries are answered one after the other, so one serves all connections. */
  readonly context: QueryContext;
  readonly counters: QueryCounters;
  readonly faults: FaultLog;
  readonly clock: Clock;
}

/** The framed answer to a message from `source` (sixteen octets), or undefined if it gets none. */
export type AnswerTcp = (message: Uint8Array, source: Uint8Array) => Uint8Array | undefined;

/** Makes the function by which all TCP connections get their answers. */
export function createTcpAnswer(options: TcpAnswerOptions): AnswerTcp {
  const { handleQuery, context, counters, faults, clock } = options;
  const framed = Buffer.allocUnsafe(LENGTH_OCTETS + TCP_OCTETS);
  context.transport = TRANSPORT.TCP;
  context.output = framed;
  context.outputStart = LENGTH_OCTETS;
  context.outputCapacity = TCP_OCTETS;
  return (message, source) => {
    context.input = message;
    context.inputLength = message.length;
    context.sourceAddress.set(source);
    context.clockSeconds = Math.floor(clock.now() / 1_000);
    const length = handleQuery(context);
    counters.count(context, length);
    if (context.fault !== null) faults.report(context.fault);
    if (length === 0) return undefined;
    writeUint16(framed, 0, length);
    // A copy: the connection may have to wait before it can send, and the next answer is written in the same place.
    return Buffer.from(framed.subarray(0, LENGTH_OCTETS + length));
  };
}
