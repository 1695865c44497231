const QUAD = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

/**
 * Returns the 4 octets of a dotted quad. Undefined for other text: each number has one form, without leading zeros, so
 * that "1.2.3", "0x7f.1" and "192.0.2.01" are not addresses.
 */
export function ipv4ToOctets(text: string): Uint8Array | undefined {
  const parts = QUAD.exec(text);
  if (parts === null) return undefined;
  const octets = new Uint8Array(4);
  for (let at = 0; at < octets.length; at += 1) {
    const number = Number(parts[at + 1]);
    if (number > 0xff) return undefined;
    octets[at] = number;
  }
  return octets;
}
