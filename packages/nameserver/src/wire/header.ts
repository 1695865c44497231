import { OPCODE } from '@zonewright/dns-records';
import { readUint16 } from './octets.js';
import { HEADER_OCTETS } from './protocol.js';

const QR_BIT = 0x80;
const OPCODE_SHIFT = 3;
const OPCODE_MASK = 0x0f;

/**
 * Whether the message is a query. A message shorter than a header cannot be answered. A response must not be
 * answered, because two servers could answer each other forever.
 */
export function isQuery(message: Uint8Array, start: number, length: number): boolean {
  return length >= HEADER_OCTETS && (message[start + 2]! & QR_BIT) === 0;
}

export function headerOpcode(message: Uint8Array, start: number): number {
  return (message[start + 2]! >> OPCODE_SHIFT) & OPCODE_MASK;
}

/** Returns the 16 bits of QR, opcode, flags and RCODE. */
export function headerFlags(message: Uint8Array, start: number): number {
  return readUint16(message, start + 2);
}

export function questionCount(message: Uint8Array, start: number): number {
  return readUint16(message, start + 4);
}

export function answerCount(message: Uint8Array, start: number): number {
  return readUint16(message, start + 6);
}

export function authorityCount(message: Uint8Array, start: number): number {
  return readUint16(message, start + 8);
}

export function additionalCount(message: Uint8Array, start: number): number {
  return readUint16(message, start + 10);
}

/** QR and the opcode without its last bit, which distinguishes NOTIFY and UPDATE. */
const QR_AND_OPCODE = 0xf0;
const NOTIFY_OR_UPDATE_QUERY = OPCODE.NOTIFY << OPCODE_SHIFT;

/** Whether this is a NOTIFY (RFC 1996) or UPDATE (RFC 2136) request. */
export function isForOthers(message: Uint8Array, start: number, length: number): boolean {
  return (
    (message[start + 2]! & QR_AND_OPCODE) === NOTIFY_OR_UPDATE_QUERY && length >= HEADER_OCTETS
  );
}
