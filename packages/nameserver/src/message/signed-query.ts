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
 * Octets of a TSIG record without its names and MAC: fixed part 10, numbers 16, and 6 for the time that BADTIME adds.
 */
const TSIG_OCTETS = 32;
const LONGEST_MAC = 64;

/** The query with its TSIG, checked by the keys that are known here; undefined: it cannot be read. */
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

/** Undefined: what readQuery() let pass is none to others. */
function tryToRead(octets: Uint8Array): ReadMessage | undefined {
  try {
    return readMessage(octets);
  } catch (error) {
    if (error instanceof MessageSyntaxError) return undefined;
    throw error;
  }
}

/** The query as it would be without TSIG. */
export function withoutSignature(context: QueryContext, { message }: SignedQuery): Uint8Array {
  const { input, inputStart } = context;
  const unsigned = Uint8Array.from(
    input.subarray(inputStart, inputStart + (message.tsig?.start ?? 0)),
  );
  const count = readUint16(unsigned, ADDITIONAL_COUNT_OFFSET);
  writeUint16(unsigned, ADDITIONAL_COUNT_OFFSET, count - 1);
  return unsigned;
}

/** Octets that signing an answer adds at most. */
export function signatureOctets({ message: { tsig } }: SignedQuery): number {
  const names = (tsig?.keyName.length ?? 0) + (tsig?.algorithm.length ?? 0);
  return names + TSIG_OCTETS + LONGEST_MAC;
}

/** The answer with its TSIG: one that says what was wrong with the query's, or a signature. */
export function signAnswer(
  answer: Uint8Array,
  { key, message: { tsig }, fault }: SignedQuery,
  nowSeconds: number,
): Uint8Array {
  if (tsig === undefined || key === undefined) return answer;
  if (fault !== undefined) return withTsigFault(answer, { tsig, fault, key }, nowSeconds);
  return new TsigAnswerSigner(key, tsig.mac).sign(answer, nowSeconds);
}
