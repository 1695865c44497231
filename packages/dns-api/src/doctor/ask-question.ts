import { randomInt } from 'node:crypto';
import {
  AA_FLAG,
  type Message,
  MessageSyntaxError,
  nameToWire,
  QR_FLAG,
  readMessage,
  RR_CLASS,
  typeNumber,
  writeMessage,
} from '@zonewright/dns-records';
import { type DnsAddress, exchangeOverTcp, exchangeOverUdp } from '@zonewright/service-kit';

/** The response of a nameserver. */
export interface QuestionAnswer {
  readonly message: Message;
  readonly isAuthoritative: boolean;
  readonly transport: 'udp' | 'tcp';
}

const TC_FLAG = 0x0200;
const OPT = 41;
/** The payload size of RFC 9715. */
const PAYLOAD_OCTETS = 1_232;

interface QuestionToAsk {
  readonly name: string;
  readonly type: string;
  /** The flags of the message, including its opcode (RFC 1035, section 4.1.1); 0 is a query without recursion. */
  readonly flags?: number;
}

/**
 * Sends a question over UDP and, if the response is truncated, over TCP. Returns undefined if no response arrives
 * within `ms`.
 */
export async function sendQuestion(
  server: DnsAddress,
  { name, type, flags = 0 }: QuestionToAsk,
  ms: number,
): Promise<QuestionAnswer | undefined> {
  const until = performance.now() + ms;
  const id = randomInt(65_536);
  const question = { name: nameToWire(name), type: typeNumber(type) ?? 0, class: RR_CLASS.IN };
  const opt = { name: Uint8Array.of(0), type: OPT, class: PAYLOAD_OCTETS, ttl: 0 };
  const query = writeMessage({
    id,
    flags,
    questions: [question],
    additionals: [{ ...opt, rdata: new Uint8Array() }],
  });
  const read = (octets: Uint8Array) => readAnswer(octets, id);
  const short = await exchangeOverUdp(server, { query, read, ms });
  if (short === undefined) return undefined;
  const isCut = (short.flags & TC_FLAG) !== 0;
  const left = until - performance.now();
  const message = isCut ? await exchangeOverTcp(server, { query, read, ms: left }) : short;
  if (message === undefined) return undefined;
  const isAuthoritative = (message.flags & AA_FLAG) !== 0;
  return { message, isAuthoritative, transport: isCut ? 'tcp' : 'udp' };
}

function readAnswer(octets: Uint8Array, id: number): Message | undefined {
  try {
    const message = readMessage(octets);
    return message.id === id && (message.flags & QR_FLAG) !== 0 ? message : undefined;
  } catch (error) {
    if (error instanceof MessageSyntaxError) return undefined;
    throw error;
  }
}
