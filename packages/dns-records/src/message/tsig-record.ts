import { NameSyntaxError } from '../values/problem.js';
import { RR_CLASS, RR_TYPE } from '../values/rr-type.js';
import {
  concatOctets,
  lowerCaseOctets,
  readUint16,
  uint16sToOctets,
  uint32sToOctets,
} from '../wire/octets.js';
import { nameEnd } from '../wire/wire-to-name.js';
import { type MessageRecord, MessageSyntaxError, writeRecord } from './message.js';

/** Values of the error field of TSIG (RFC 8945 s3). */
export const TSIG_ERROR = {
  NOERROR: 0,
  FORMERR: 1,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADTRUNC: 22,
} as const;

/** Content of a TSIG record (RFC 8945 s4.2). */
export interface Tsig {
  /** Names of the key and of the algorithm: uncompressed, in lower case. */
  readonly keyName: Uint8Array;
  readonly algorithm: Uint8Array;
  /** Time in seconds since 1970, 48 bits. */
  readonly timeSigned: number;
  readonly fudge: number;
  readonly mac: Uint8Array;
  readonly originalId: number;
  readonly error: number;
  readonly other: Uint8Array;
  /** Offset of the record in its message. */
  readonly start: number;
}

const TIME_OCTETS = 6;
const NUMBERS_OCTETS = 16;

/** @throws MessageSyntaxError if the record violates RFC 8945 s4.2 */
export function readTsigRecord(record: MessageRecord, start: number): Tsig {
  const { name, class: recordClass, ttl, rdata } = record;
  if (recordClass !== RR_CLASS.ANY || ttl !== 0)
    throw new MessageSyntaxError('A TSIG record must have the class ANY and the TTL 0.');
  const numbers = algorithmEnd(rdata);
  const at = numbers + TIME_OCTETS;
  if (numbers + NUMBERS_OCTETS > rdata.length) throw wrongLength();
  const macEnd = at + 4 + readUint16(rdata, at + 2);
  const otherStart = macEnd + 6;
  if (otherStart > rdata.length) throw wrongLength();
  if (otherStart + readUint16(rdata, macEnd + 4) !== rdata.length) throw wrongLength();
  return {
    keyName: lowerCaseOctets(name),
    algorithm: lowerCaseOctets(rdata.subarray(0, numbers)),
    timeSigned: readUint48(rdata, numbers),
    fudge: readUint16(rdata, at),
    mac: rdata.slice(at + 4, macEnd),
    originalId: readUint16(rdata, macEnd),
    error: readUint16(rdata, macEnd + 2),
    other: rdata.slice(otherStart),
    start,
  };
}

function algorithmEnd(rdata: Uint8Array): number {
  try {
    return nameEnd(rdata, 0);
  } catch (error) {
    if (error instanceof NameSyntaxError) throw new MessageSyntaxError(error.message);
    throw error;
  }
}

function wrongLength(): MessageSyntaxError {
  return new MessageSyntaxError(
    'The lengths in the rdata of the TSIG record do not match its content.',
  );
}

/** Returns a copy of the message with a TSIG as its last record. */
export function withTsig(message: Uint8Array, tsig: Omit<Tsig, 'start'>): Uint8Array {
  const record = writeRecord({
    name: tsig.keyName,
    type: RR_TYPE.TSIG,
    class: RR_CLASS.ANY,
    ttl: 0,
    rdata: concatOctets([
      tsig.algorithm,
      uint48ToOctets(tsig.timeSigned),
      uint16sToOctets(tsig.fudge, tsig.mac.length),
      tsig.mac,
      uint16sToOctets(tsig.originalId, tsig.error, tsig.other.length),
      tsig.other,
    ]),
  });
  return appendTsig(message, record);
}

/** Returns a copy of the message with a TSIG record in wire form at its end. */
export function appendTsig(message: Uint8Array, record: Uint8Array): Uint8Array {
  const signed = concatOctets([message, record]);
  signed.set(uint16sToOctets(readUint16(signed, 10) + 1), 10);
  return signed;
}

/** Returns the signed octets: a copy of the message without its TSIG, with its original id (RFC 8945 s4.3.2). */
export function withoutTsig(message: Uint8Array, tsig: Tsig): Uint8Array {
  // The slice() of a Buffer would share memory with it.
  const unsigned = Uint8Array.from(message.subarray(0, tsig.start));
  unsigned.set(uint16sToOctets(tsig.originalId), 0);
  unsigned.set(uint16sToOctets(readUint16(unsigned, 10) - 1), 10);
  return unsigned;
}

export function uint48ToOctets(number: number): Uint8Array {
  return concatOctets([
    uint16sToOctets(Math.floor(number / 2 ** 32)),
    uint32sToOctets(number % 2 ** 32),
  ]);
}

function readUint48(octets: Uint8Array, at: number): number {
  return (
    readUint16(octets, at) * 2 ** 32 +
    readUint16(octets, at + 2) * 2 ** 16 +
    readUint16(octets, at + 4)
  );
}
