import {
  answerHeader,
  type ExtendedError,
  type ReadMessage,
  writeExtendedError,
  writeMessage,
} from '@zonewright/dns-records';

/** A received message that another program must answer: an update (RFC 2136), or a query with an unknown key. */
export interface ReceivedMessage {
  readonly octets: Uint8Array;
  /** For a query, the response to be signed. */
  readonly answer?: Uint8Array | undefined;
  /** Source address. */
  readonly source: string;
  readonly transport: 'udp' | 'tcp';
  /** Whether the sender presented a cookie of this server (RFC 7873). */
  readonly hasCookie?: boolean | undefined;
}

/** Returns the response to a relayed message. Undefined if it gets none. */
export type AnswerRelayed = (message: ReceivedMessage) => Promise<Uint8Array | undefined>;

/** Returns an unsigned response of this server, with the reason if the client supports EDNS (RFC 8914). */
export function refusalOf(message: ReadMessage, rcode: number, error?: ExtendedError): Uint8Array {
  const { questions } = message;
  const additionals = error === undefined ? [] : writeExtendedError(message, error);
  return writeMessage({ ...answerHeader(message, rcode), questions, additionals });
}
