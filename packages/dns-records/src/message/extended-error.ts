import { RR_TYPE } from '../values/rr-type.js';
import { concatOctets, uint16sToOctets } from '../wire/octets.js';
import type { Message, MessageRecord } from './message.js';

/** Info codes of extended errors that this platform sends (RFC 8914 s5.2). */
export const EXTENDED_ERROR = {
  OTHER: 0,
  STALE_ANSWER: 3,
  SIGNATURE_EXPIRED: 7,
  NOT_READY: 14,
  PROHIBITED: 18,
  NOT_AUTHORITATIVE: 20,
  NOT_SUPPORTED: 21,
} as const;

/** Extended error with a text for people. */
export interface ExtendedError {
  readonly code: number;
  readonly text: string;
}

const OPTION_CODE = 15;
const ROOT = new Uint8Array(1);
/** Payload size that this platform accepts over UDP (RFC 9715). */
const PAYLOAD_OCTETS = 1_232;
const DO_FLAG = 0x8000;

/**
 * Returns the additional records of a response with an extended error: an OPT record (RFC 8914 s2). Empty if the query
 * has none, since the client may not support it (RFC 6891 s7).
 */
export function writeExtendedError(
  { additionals }: Pick<Message, 'additionals'>,
  { code, text }: ExtendedError,
): MessageRecord[] {
  const opt = additionals.find(({ type }) => type === RR_TYPE.OPT);
  if (opt === undefined) return [];
  const data = concatOctets([uint16sToOctets(code), Buffer.from(text)]);
  return [
    {
      name: ROOT,
      type: RR_TYPE.OPT,
      class: PAYLOAD_OCTETS,
      // Extended RCODE and version are 0. DO is repeated (RFC 3225 s3).
      ttl: opt.ttl & DO_FLAG,
      rdata: concatOctets([uint16sToOctets(OPTION_CODE, data.length), data]),
    },
  ];
}
