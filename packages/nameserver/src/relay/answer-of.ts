import { answerHeader, type ReadMessage, writeMessage } from '@zonewright/dns-records';

/** An answer that is made here, without a signature. */
export function answerOf(message: ReadMessage, rcode: number): Uint8Array {
  const { questions } = message;
  return writeMessage({ ...answerHeader(message, rcode), questions });
}
