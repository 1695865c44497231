import {
  answerHeader,
  type ExtendedError,
  type ReadMessage,
  writeExtendedError,
  writeMessage,
} from '@zonewright/dns-records';

/** Returns an unsigned response of this server, with the reason if the client supports EDNS (RFC 8914). */
export function refusalOf(message: ReadMessage, rcode: number, error?: ExtendedError): Uint8Array {
  const { questions } = message;
  const additionals = error === undefined ? [] : writeExtendedError(message, error);
  return writeMessage({ ...answerHeader(message, rcode), questions, additionals });
}
