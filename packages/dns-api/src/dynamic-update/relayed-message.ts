import { invalidRequest } from '@zonewright/service-kit';
import { isIP } from 'node:net';
import { checkMembers } from '../http/members.js';

/** A query that a nameserver was sent, and what it answers. */
export interface RelayedQuery extends RelayedMessage {
  readonly answer: Buffer;
}

/** A message that a nameserver was sent. */
export interface RelayedMessage {
  readonly octets: Buffer;
  /** The address that it came from, as far as the nameserver knows. */
  readonly source: string;
  readonly transport: 'udp' | 'tcp';
}

/** @throws ServiceError `invalid` */
export function readRelayedUpdate(body: unknown): RelayedMessage {
  return read(body, ['message', 'source', 'transport']);
}

/** Maximum number of messages in one request: as many as a nameserver relays at a time. */
const MAX_TOGETHER = 64;

/** `messages` that came together; undefined: it is one. @throws ServiceError `invalid` */
export function readRelayedUpdates(body: unknown): RelayedMessage[] | undefined {
  const { messages } = (body ?? {}) as { messages?: unknown };
  if (!Array.isArray(messages)) return undefined;
  if (messages.length > MAX_TOGETHER) {
    const message = `There are at most ${MAX_TOGETHER} messages.`;
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
    'It has messages (base64), the source of the first (an address) and transport (udp, tcp).';
  throw invalidRequest([...problems, { path: '', validator: 'type', message: sentence }]);
}

function toOctets(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
