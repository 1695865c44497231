/**
 * Ids in tokens. Ours are 32 hex digits, which take 22 characters as base64url: that keeps a token with two of
 * them below 300 bytes. Ids from older systems stand as they are. The first character tells which.
 */
const HEX_ID = /^[0-9a-f]{32}$/;
const PACKED = '.';
const PLAIN = '=';

export function packId(id: string): string {
  return HEX_ID.test(id) ? PACKED + Buffer.from(id, 'hex').toString('base64url') : PLAIN + id;
}

export function unpackId(packed: string): string {
  const rest = packed.slice(1);
  return packed.startsWith(PACKED) ? Buffer.from(rest, 'base64url').toString('hex') : rest;
}
