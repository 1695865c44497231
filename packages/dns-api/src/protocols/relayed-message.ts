import { isIP } from 'node:net';
import {
  answerHeader,
  type ExtendedError,
  MessageSyntaxError,
  OPCODE,
  opcodeOf,
  QR_FLAG,
  RCODE,
  readHeader,
  type ReadMessage,
  readMessage,
  type Tsig,
  type TsigFault,
  withTsigFault,
  writeExtendedError,
  writeMessage,
} from '@zonewright/dns-records';
import { invalidRequest, ServiceError } from '@zonewright/service-kit';
import type { TsigClient } from '../access/tsig-client.js';
import type { Context } from '../context/context.js';
import { checkMembers } from '../http/members.js';

/** A query that a nameserver received, and the nameserver's response. */
interface RelayedQuery extends RelayedMessage {
  readonly answer: Buffer;
}

/** A message that a nameserver received. */
export interface RelayedMessage {
  readonly octets: Buffer;
  /** The source address as the nameserver sees it. */
  readonly source: string;
  readonly transport: 'udp' | 'tcp';
}

/** @throws ServiceError `invalid` */
export function readRelayedUpdate(body: unknown): RelayedMessage {
  return read(body, ['message', 'source', 'transport']);
}

/** The limit of messages in one request, which is the number that a nameserver relays at a time. */
const MAX_TOGETHER = 64;

/**
 * Returns the `messages` that arrived together, or undefined if there is a single one.
 * @throws ServiceError `invalid`
 */
export function readRelayedUpdates(body: unknown): RelayedMessage[] | undefined {
  const { messages } = (body ?? {}) as { messages?: unknown };
  if (!Array.isArray(messages)) return undefined;
  if (messages.length > MAX_TOGETHER) {
    const message = `messages must have at most ${MAX_TOGETHER} items.`;
    throw invalidRequest([{ path: 'messages', validator: 'maxItems', message }]);
  }
  return messages.map(readRelayedUpdate);
}

/** @throws ServiceError `invalid` */
export function readRelayedQuery(body: unknown): RelayedQuery {
  return read(body, ['message', 'answer', 'source', 'transport']);
}

function read(body: unknown, members: readonly string[]): RelayedQuery {
  const { values, problems } = checkMembers(body, members);
  const { message, answer = '', source, transport } = values;
  const isTransport = transport === 'udp' || transport === 'tcp';
  const areMessages = typeof message === 'string' && typeof answer === 'string';
  if (problems.length === 0 && areMessages && isTransport) {
    if (typeof source === 'string' && isIP(source) !== 0)
      return { octets: toOctets(message), answer: toOctets(answer), source, transport };
  }
  const sentence =
    'The body must have messages (base64), source (the address of the first message) and transport (udp or tcp).';
  throw invalidRequest([...problems, { path: '', validator: 'type', message: sentence }]);
}

function toOctets(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

/** A request for a transfer, and the messages of the response. */
interface RelayedTransfer {
  readonly octets: Buffer;
  readonly answers: readonly Buffer[];
}

/** @throws ServiceError `invalid` */
export function readRelayedTransfer(body: unknown): RelayedTransfer {
  const { values, problems } = checkMembers(body, ['message', 'answers']);
  const { message, answers } = values;
  const areTexts = Array.isArray(answers) && answers.every((each) => typeof each === 'string');
  if (problems.length === 0 && typeof message === 'string' && areTexts)
    return { octets: toOctets(message), answers: answers.map(toOctets) };
  const sentence = 'The body must have message and answers, a list (both base64).';
  throw invalidRequest([...problems, { path: '', validator: 'type', message: sentence }]);
}

const HEADER_OCTETS = 12;

/**
 * Checks that messages answer a query, since a signed response must never confirm an update.
 * @throws ServiceError `invalid`
 */
export function checkAnswers({ id, flags }: ReadMessage, answers: readonly Buffer[]): void {
  const isQuery = opcodeOf({ id, flags }) === OPCODE.QUERY;
  if (isQuery && answers.length > 0 && answers.every((each) => isAnswerTo(id, each))) return;
  const message = 'The body is not a query and its response.';
  throw invalidRequest([{ path: '', validator: 'type', message }]);
}

function isAnswerTo(id: number, answer: Buffer): boolean {
  if (answer.length < HEADER_OCTETS) return false;
  const header = readHeader(answer);
  return header.id === id && (header.flags & QR_FLAG) !== 0 && opcodeOf(header) === OPCODE.QUERY;
}

/** @throws ServiceError `unavailable` in tests without an identity service */
export function getTsig({ tsig }: Context): TsigClient {
  if (tsig === undefined) throw new ServiceError('unavailable', 'No identity service.');
  return tsig;
}

export type Signed = ReadMessage & { readonly tsig: Tsig };

/** Returns the message, or the response if it is malformed or has no TSIG. */
export function readSigned(octets: Buffer): Signed | Uint8Array {
  const message = readAny(octets);
  if (message instanceof Uint8Array) return message;
  const { tsig } = message;
  return tsig === undefined ? answerOf(message, RCODE.REFUSED) : { ...message, tsig };
}

/** Returns the message, or the response if it is malformed. */
export function readAny(octets: Buffer): ReadMessage | Uint8Array {
  try {
    return readMessage(octets);
  } catch (error) {
    if (!(error instanceof MessageSyntaxError)) throw error;
    return writeMessage(answerHeader(readHeader(octets), RCODE.FORMERR));
  }
}

export function isSigned(message: Signed | Uint8Array): message is Signed {
  return !(message instanceof Uint8Array);
}

interface FaultyMessage {
  readonly octets: Uint8Array;
  readonly message: Signed;
  readonly fault: TsigFault;
  readonly error?: ExtendedError;
}

/** Returns the response to a message with an invalid TSIG (RFC 8945 s5.2). */
export async function answerToFault(
  tsig: TsigClient,
  { octets, message, fault, ...about }: FaultyMessage,
): Promise<Uint8Array> {
  if (fault === 'FORMERR') return answerOf(message, RCODE.FORMERR);
  const answer = answerOf(message, RCODE.NOTAUTH, about);
  if (fault === 'BADTIME') return await tsig.sign(octets, answer, true);
  return withTsigFault(answer, { tsig: message.tsig, fault, key: undefined }, 0);
}

export function answerOf(
  message: ReadMessage,
  rcode: number,
  { flags = 0, error }: { readonly flags?: number; readonly error?: ExtendedError } = {},
): Uint8Array {
  const { questions } = message;
  const additionals = error === undefined ? [] : writeExtendedError(message, error);
  return writeMessage({ ...answerHeader(message, rcode, flags), questions, additionals });
}
