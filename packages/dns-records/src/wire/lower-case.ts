/**
 * ASCII lower case of octets `start` to `end`, as a copy (RFC 4343 s3: of ASCII letters only). Whole names are allowed:
 * length octets are at most 63 and so never among A to Z (65 to 90).
 */
export function lowerCaseOctets(wire: Uint8Array, start = 0, end = wire.length): Uint8Array {
  const lower = wire.slice();
  for (let at = start; at < end; at += 1) {
    const octet = wire[at]!;
    if (octet >= 0x41 && octet <= 0x5a) {
      lower[at] = octet | 0x20;
    }
  }
  return lower;
}
