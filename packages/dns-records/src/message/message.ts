import { concatOctets, uint16sToOctets, uint32sToOctets } from '../wire/octets.js';

/** Entry of the question section (RFC 1035 s4.1.2). UPDATE calls it the zone section (RFC 2136 s2.3). */
export interface Question {
  /** Uncompressed name in its original letter case. */
  readonly name: Uint8Array;
  readonly type: number;
  readonly class: number;
}

/** Resource record (RFC 1035 s4.1.3). */
export interface MessageRecord extends Question {
  readonly ttl: number;
  /** Rdata without compressed names, for the types that may have them (RFC 3597 s4). */
  readonly rdata: Uint8Array;
}

/** Header of a message (RFC 1035 s4.1.1). */
export interface MessageHeader {
  readonly id: number;
  /** QR, opcode, flags and rcode in 16 bits. */
  readonly flags: number;
}

/**
 * Message without its TSIG. The prerequisites of an UPDATE are in `answers`, its updates in `authorities` (RFC 2136
 * s2).
 */
export interface Message extends MessageHeader {
  readonly questions: readonly Question[];
  readonly answers: readonly MessageRecord[];
  readonly authorities: readonly MessageRecord[];
  readonly additionals: readonly MessageRecord[];
}

export const OPCODE = { QUERY: 0, NOTIFY: 4, UPDATE: 5 } as const;

/** Response codes (RFC 1035 s4.1.1, RFC 2136 s2.2). */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
} as const;

export const QR_FLAG = 0x8000;
export const AA_FLAG = 0x0400;

const OPCODE_BITS = 0x7800;

export function opcodeOf({ flags }: MessageHeader): number {
  return (flags & OPCODE_BITS) >> 11;
}

export function rcodeOf({ flags }: MessageHeader): number {
  return flags & 0x0f;
}

/** Returns the header of the response to `request`, with its id and opcode. */
export function answerHeader(request: MessageHeader, rcode: number, flags = 0): MessageHeader {
  return { id: request.id, flags: QR_FLAG | (request.flags & OPCODE_BITS) | flags | rcode };
}

/** Returns a message in wire form, without compression. */
export function writeMessage({
  id,
  flags,
  questions = [],
  answers = [],
  authorities = [],
  additionals = [],
}: Pick<Message, 'id' | 'flags'> & Partial<Message>): Uint8Array {
  const counts = [questions, answers, authorities, additionals].map(({ length }) => length);
  return concatOctets([
    uint16sToOctets(id, flags, ...counts),
    ...questions.map(writeQuestion),
    ...[...answers, ...authorities, ...additionals].map(writeRecord),
  ]);
}

export function writeRecord(record: MessageRecord): Uint8Array {
  return concatOctets([
    writeQuestion(record),
    uint32sToOctets(record.ttl),
    uint16sToOctets(record.rdata.length),
    record.rdata,
  ]);
}

function writeQuestion(question: Question): Uint8Array {
  return concatOctets([question.name, uint16sToOctets(question.type, question.class)]);
}

/** Error for data that is not a DNS message (FORMERR). The text contains the reason. */
export class MessageSyntaxError extends Error {}
