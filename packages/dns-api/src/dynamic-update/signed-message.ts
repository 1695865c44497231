import {
  answerHeader,
  MessageSyntaxError,
  RCODE,
  readHeader,
  type ReadMessage,
  readMessage,
  type Tsig,
  withTsigFault,
  writeMessage,
} from '@zonewright/dns-records';
import type { TsigClient } from '../access/tsig-client.js';

export type Signed = ReadMessage & { readonly tsig: Tsig };

/** The message, or the answer to what is none or has no TSIG. */
export function readSigned(octets: Buffer): Signed | Uint8Array {
  const message = readAny(octets);
  if (message instanceof Uint8Array) return message;
  const { tsig } = message;
  return tsig === undefined ? answerOf(message, RCODE.REFUSED) : { ...message, tsig };
}

/** The message, or the answer to what is none. */
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

/** The answer to a message whose TSIG is wrong (RFC 8945 s5.2). */
export async function answerToFault(
  tsig: TsigClient,
  octets: Uint8Array,
  message: Signed,
  fault: Parameters<typeof withTsigFault>[1]['fault'],
): Promise<Uint8Array> {
  if (fault === 'FORMERR') return answerOf(message, RCODE.FORMERR);
  const answer = answerOf(message, RCODE.NOTAUTH);
  if (fault === 'BADTIME') return await tsig.sign(octets, answer, true);
  return withTsigFault(answer, { tsig: message.tsig, fault, key: undefined }, 0);
}

export function answerOf(message: ReadMessage, rcode: number, flags = 0): Uint8Array {
  const { questions } = message;
  return writeMessage({ ...answerHeader(message, rcode, flags), questions });
}
