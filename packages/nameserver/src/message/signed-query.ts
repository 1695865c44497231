import {
  checkRequest,
  MessageSyntaxError,
  readMessage,
  type ReadMessage,
  TsigAnswerSigner,
  wireToName,
  withTsigFault,
} from '@zonewright/dns-records';
import { readUint16, writeUint16 } from '../wire/octets.js';
import type { QueryContext, SignedQuery } from './query-context.js';

const ADDITIONAL_COUNT_OFFSET = 10;
/**
 * Octets of a TSIG record without its names and MAC: fixed part 10, numbers 16, and 6 for the time in a BADTIME
 * error.
 */
const TSIG_OCTETS = 32;
const LONGEST_MAC = 64;

/** Returns the query with its TSIG, checked with the known keys. Undefined if it cannot be read. */
export function readSignedQuery(context: QueryContext): SignedQuery | undefined {
  const { input, inputStart, inputLength, findKey } = context;
  const octets = input.subarray(inputStart, inputStart + inputLength);
  const message = tryToRead(octets);
  if (message === undefined) return undefined;
  const { tsig } = message;
  if (tsig === undefined) return undefined;
  const key = findKey?.(wireToName(tsig.keyName));
  return { message, key, fault: checkRequest(octets, tsig, key, context.clockSeconds) };
}

/** Returns undefined if another parser rejects what readQuery() accepted. */
function tryToRead(octets: Uint8Array): ReadMessage | undefined {
  try {
    return readMessage(octets);
  } catch (error) {
    if (error instanceof MessageSyntaxError) return undefined;
    throw error;
  }
}

/** Returns the query without its TSIG. */
export function withoutSignature(context: QueryContext, { message }: SignedQuery): Uint8Array {
  const { input, inputStart } = context;
  const unsigned = Uint8Array.from(
    input.subarray(inputStart, inputStart + (message.tsig?.start ?? 0)),
  );
  const count = readUint16(unsigned, ADDITIONAL_COUNT_OFFSET);
  writeUint16(unsigned, ADDITIONAL_COUNT_OFFSET, count - 1);
  return unsigned;
}

/** Returns the maximum number of octets that signing adds to a response. */
export function signatureOctets({ message: { tsig } }: SignedQuery): number {
  const names = (tsig?.keyName.length ?? 0) + (tsig?.algorithm.length ?? 0);
  return names + TSIG_OCTETS + LONGEST_MAC;
}

/** Returns the response with its TSIG: an error about the query's TSIG, or a signature. */
export function signAnswer(
  answer: Uint8Array,
  { key, message: { tsig }, fault }: SignedQuery,
  nowSeconds: number,
): Uint8Array {
  if (tsig === undefined || key === undefined) return answer;
  if (fault !== undefined) return withTsigFault(answer, { tsig, fault, key }, nowSeconds);
  return new TsigAnswerSigner(key, tsig.mac).sign(answer, nowSeconds);
}
