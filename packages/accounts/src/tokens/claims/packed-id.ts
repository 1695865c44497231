/**
 * Ids in tokens. Hex digits take two thirds of their characters as base64url: ours are 32 of them, those of other
 * systems up to 64, and a token with two of either stays below 300 bytes. Other ids stand as they are. The first
 * character tells which.
 */
const HEX_ID = /^([0-9a-f]{2})+$/;
/** What is shorter gains next to nothing, and can be read by people as it is. */
const MIN_PACKED_LENGTH = 24;
const PACKED = '.';
const PLAIN = '=';

export function packId(id: string): string {
  const isPacked = id.length >= MIN_PACKED_LENGTH && HEX_ID.test(id);
  return isPacked ? PACKED + Buffer.from(id, 'hex').toString('base64url') : PLAIN + id;
}

export function unpackId(packed: string): string {
  const rest = packed.slice(1);
  return packed.startsWith(PACKED) ? Buffer.from(rest, 'base64url').toString('hex') : rest;
}
