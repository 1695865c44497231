import { OPCODE, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';
import type { Clock } from '@zonewright/service-kit';
import { OUTCOME } from '../message/outcome.js';
import { type QueryContext, TRANSPORT } from '../message/query-context.js';
import type { QueryCounters } from '../stats/query-counters.js';
import type { AnswerRelayed, ReceivedMessage } from '../relay/received-message.js';
import { isForOthers } from '../wire/header.js';
import { writeUint16 } from '../wire/octets.js';
import { TCP_OCTETS } from '../wire/protocol.js';
import type { AnswerStream, FaultLog, HandleQuery } from './transport.js';
import { LENGTH_OCTETS } from './message-framing.js';

interface TcpAnswerOptions {
  readonly handleQuery: HandleQuery;
  /** Context for TCP. Queries are answered one after the other, so one serves all connections. */
  readonly context: QueryContext;
  readonly counters: QueryCounters;
  readonly faults: FaultLog;
  readonly transfers?: TransferAnswers | undefined;
  /** Undefined if updates are refused, and only keys of peers are known. */
  readonly answerRelayed?: AnswerRelayed | undefined;
  readonly clock: Clock;
}

/** Signed query for a transfer (RFC 8945). */
export interface TransferRequest {
  readonly message: Uint8Array;
  /** Address of the client. */
  readonly source: string;
  /** Framed answer if the transfer is refused. */
  readonly refusal: Uint8Array;
}

type AnswerTransfer = (request: TransferRequest) => AnswerStream;

/** Functions that answer transfers. */
interface TransferAnswers {
  /** For the keys of peers, whose signature was correct. Undefined if there are no peers. */
  readonly ofPeer?: AnswerTransfer | undefined;
  /** For other keys, which were not checked yet. Undefined if the DNS API is not configured. */
  readonly ofKey?: AnswerTransfer | undefined;
}

/** Address of a client, as sixteen octets and as text. */
interface Source {
  readonly octets: Uint8Array;
  readonly address: string;
}

/** Returns the framed answer to a message. Undefined if it gets none. */
export type AnswerTcp = (
  message: Uint8Array,
  source: Source,
) => Uint8Array | AnswerStream | undefined;

export function createTcpAnswer(options: TcpAnswerOptions): AnswerTcp {
  const { handleQuery, context, counters, faults, clock, transfers, answerRelayed } = options;
  const framed = Buffer.allocUnsafe(LENGTH_OCTETS + TCP_OCTETS);
  context.transport = TRANSPORT.TCP;
  context.output = framed;
  context.outputStart = LENGTH_OCTETS;
  context.outputCapacity = TCP_OCTETS;
  context.isRelaying = answerRelayed !== undefined;
  return (message, source) => {
    if (answerRelayed !== undefined && isForOthers(message, 0, message.length)) {
      return streamAnswer(answerRelayed, { octets: message, source: source.address });
    }
    context.input = message;
    context.inputLength = message.length;
    context.sourceAddress.set(source.octets);
    context.clockSeconds = Math.floor(clock.now() / 1_000);
    const length = handleQuery(context);
    const transfer = asksForTransfer(context) ? findTransfer(context, transfers) : undefined;
    if (transfer !== undefined) context.outcome = OUTCOME.ANSWER;
    counters.count(context, length);
    if (context.fault !== null) faults.report(context.fault);
    if (length === 0) return undefined;
    writeUint16(framed, 0, length);
    // The answer is copied: the connection may have to wait before it can send, and the next answer uses the same
    // memory.
    const answer = Buffer.from(framed.subarray(0, LENGTH_OCTETS + length));
    if (context.awaitsSignature && transfer === undefined) {
      const unsigned = answer.subarray(LENGTH_OCTETS);
      return streamAnswer(answerRelayed, {
        octets: message,
        answer: unsigned,
        source: source.address,
      });
    }
    if (transfer === undefined) return answer;
    const request = { message: Uint8Array.from(message), source: source.address, refusal: answer };
    return transfer(request);
  };
}

function findTransfer(
  { signed, awaitsSignature }: QueryContext,
  { ofPeer, ofKey }: TransferAnswers = {},
): AnswerTransfer | undefined {
  if (signed !== null) return ofPeer;
  return awaitsSignature ? ofKey : undefined;
}

/** Whether the query requests a transfer of a zone on this server. If the key is wrong, the outcome differs. */
function asksForTransfer({ outcome, opcode, qtype, qclass }: QueryContext): boolean {
  const isTransfer = qtype === RR_TYPE.AXFR || qtype === RR_TYPE.IXFR;
  const isOfClass = qclass === RR_CLASS.IN && opcode === OPCODE.QUERY;
  return isTransfer && isOfClass && outcome === OUTCOME.REFUSED;
}

/** The message is copied, since its memory is reused. */
function streamAnswer(
  answerRelayed: AnswerRelayed | undefined,
  { octets, answer, source }: Omit<ReceivedMessage, 'transport'>,
): AnswerStream | undefined {
  return (
    answerRelayed &&
    streamRelayed(answerRelayed, {
      octets: Uint8Array.from(octets),
      answer,
      source,
      transport: 'tcp',
    })
  );
}

async function* streamRelayed(
  answerRelayed: AnswerRelayed,
  received: ReceivedMessage,
): AnswerStream {
  const answer = await answerRelayed(received);
  if (answer === undefined) return;
  const framed = Buffer.alloc(LENGTH_OCTETS + answer.length);
  framed.writeUInt16BE(answer.length);
  framed.set(answer, LENGTH_OCTETS);
  yield framed;
}
