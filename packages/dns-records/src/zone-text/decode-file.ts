/** The octets of the byte order marks that Windows and PowerShell write first. */
const UTF_16_LITTLE = [0xff, 0xfe];
const UTF_16_BIG = [0xfe, 0xff];
const FIRST_NOT_ASCII = 0x80;

/**
 * Decodes a user's file, which is UTF-8, or UTF-16 with a byte order mark. In any other encoding each octet outside
 * ASCII becomes an escape (`\DDD`, RFC 1035, section 5.1), as in BIND.
 */
export function decodeFile(octets: Uint8Array): string {
  const [first, second] = octets;
  if (first === UTF_16_LITTLE[0] && second === UTF_16_LITTLE[1]) {
    return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('utf16le', 2);
  }
  if (first === UTF_16_BIG[0] && second === UTF_16_BIG[1]) {
    const even = octets.length - (octets.length % 2);
    return Buffer.from(octets.subarray(0, even)).swap16().toString('utf16le', 2);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    return escapeOctets(octets);
  }
}

function escapeOctets(octets: Uint8Array): string {
  const parts: string[] = [];
  let start = 0;
  const text = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  for (const [at, octet] of octets.entries()) {
    if (octet < FIRST_NOT_ASCII) continue;
    parts.push(text.toString('latin1', start, at), `\\${octet}`);
    start = at + 1;
  }
  return parts.join('') + text.toString('latin1', start);
}
