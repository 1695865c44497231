/**
 * The hash by which names are found in the image: FNV-1a over the labels from the root to the first, each with its
 * length octet, in lower case. So the hashes of all ancestors of a name fall out on the way to its own.
 */
export const ROOT_HASH = 0x811c9dc5 | 0;

const FNV_PRIME = 0x01000193;

/** `hash` of a name continued by one more octet. */
export function hashOctet(hash: number, octet: number): number {
  return Math.imul(hash ^ octet, FNV_PRIME);
}

/** FNV's upper bits depend on few octets of input; tables take this instead. Unsigned. */
export function spreadHash(hash: number): number {
  let spread = hash ^ (hash >>> 15);
  spread = Math.imul(spread, 0x2c1b3c6d);
  spread ^= spread >>> 12;
  spread = Math.imul(spread, 0x297a2d39);
  return (spread ^ (spread >>> 15)) >>> 0;
}

/** The octet in lower case; ASCII letters only (RFC 4343 s3). */
export function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}

/** The hash of `*` and the name with this hash. */
export function hashOfWildcardChild(parentHash: number): number {
  return hashOctet(hashOctet(parentHash, 1), 0x2a);
}
