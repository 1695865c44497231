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
/** Flag of the OPT record's TTL (RFC 6891 section 6.1.4). */
const DO_FLAG = 0x8000;
/** The payload size of RFC 9715. */
const PAYLOAD_OCTETS = 1_232;

interface QuestionToAsk {
  readonly name: string;
  readonly type: string;
  /** The flags of the message, including its opcode (RFC 1035, section 4.1.1); 0 is a query without recursion. */
  readonly flags?: number;
  /** Whether the answer may have DNSSEC records (RFC 3225). */
  readonly dnssec?: boolean;
  /** Whether the question is sent over TCP at once. */
  readonly tcp?: boolean;
}

/**
 * Sends a question over UDP and, if the response is truncated, over TCP. Returns undefined if no response arrives
 * within `ms`.
 */
export async function sendQuestion(
  server: DnsAddress,
  question: QuestionToAsk,
  ms: number,
): Promise<QuestionAnswer | undefined> {
  const until = performance.now() + ms;
  const id = randomInt(65_536);
  const query = writeQuery(id, question);
  const read = (octets: Uint8Array) => readAnswer(octets, id);
  if (question.tcp !== true) {
    const message = await exchangeOverUdp(server, { query, read, ms });
    if (message === undefined) return undefined;
    if ((message.flags & TC_FLAG) === 0) return toAnswer(message, 'udp');
  }
  const left = until - performance.now();
  const message = await exchangeOverTcp(server, { query, read, ms: left });
  return message && toAnswer(message, 'tcp');
}

function writeQuery(id: number, { name, type, flags = 0, dnssec = false }: QuestionToAsk) {
  const question = { name: nameToWire(name), type: typeNumber(type) ?? 0, class: RR_CLASS.IN };
  const opt = { type: OPT, class: PAYLOAD_OCTETS, ttl: dnssec ? DO_FLAG : 0 };
  const additionals = [{ ...opt, name: Uint8Array.of(0), rdata: new Uint8Array() }];
  return writeMessage({ id, flags, questions: [question], additionals });
}

function toAnswer(message: Message, transport: QuestionAnswer['transport']): QuestionAnswer {
  return { message, isAuthoritative: (message.flags & AA_FLAG) !== 0, transport };
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
