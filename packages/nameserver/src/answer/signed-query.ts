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
/** Of a TSIG record, beside its names and its MAC: fixed part 10, numbers 16, and the time that BADTIME tells. */
const TSIG_OCTETS = 32;
const LONGEST_MAC = 64;

/** The query's TSIG, checked; undefined for a key that nobody here knows, of which the answer says so (BADKEY). */
export function readSignedQuery(context: QueryContext): SignedQuery | undefined {
  const { input, inputStart, inputLength, findKey } = context;
  if (findKey === null) return undefined;
  const octets = input.subarray(inputStart, inputStart + inputLength);
  const message = tryToRead(octets);
  if (message === undefined) return undefined;
  const { tsig } = message;
  const key = tsig && findKey(wireToName(tsig.keyName));
  if (tsig === undefined || key === undefined) return undefined;
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
export function signatureOctets({ key, message: { tsig } }: SignedQuery): number {
  return key.name.length + 1 + (tsig?.algorithm.length ?? 0) + TSIG_OCTETS + LONGEST_MAC;
}

/** The answer with its TSIG: one that says what was wrong with the query's, or a signature. */
export function signAnswer(
  answer: Uint8Array,
  { key, message: { tsig }, fault }: SignedQuery,
  nowSeconds: number,
): Uint8Array {
  if (tsig === undefined) return answer;
  if (fault !== undefined) return withTsigFault(answer, { tsig, fault, key }, nowSeconds);
  return new TsigAnswerSigner(key, tsig.mac).sign(answer, nowSeconds);
}
