import { MAX_LABEL_OCTETS, MAX_LABELS, MAX_NAME_OCTETS } from './protocol.js';

/**
 * Name prepared for lookup: as spelled and in lower case, with the offsets of its labels and a hash of it and each
 * ancestor. Labels count from the left: ancestor 0 is the name itself, ancestor `labels` is the root.
 */
export class LookupName {
  /** The name on the wire as received. */
  readonly spelled = new Uint8Array(MAX_NAME_OCTETS);
  readonly lower = new Uint8Array(MAX_NAME_OCTETS);
  /** Number of octets in the whole name with the root label. */
  length = 0;
  labels = 0;
  /** Offset of each ancestor in `spelled` and `lower`. */
  readonly starts = new Uint8Array(MAX_LABELS + 1);
  readonly hashes = new Int32Array(MAX_LABELS + 1);
}

/**
 * Reads an uncompressed name. Returns the offset after it, or -1 if the name is malformed. A name is malformed if it
 * is too long or passes `end`, or if it has a compression pointer (RFC 1035 s4.1.4) or a reserved label type (RFC
 * 6891 s5).
 */
export function readLookupName(
  name: LookupName,
  source: Uint8Array,
  start: number,
  end: number,
): number {
  const length = findLabels(name, source, start, end);
  if (length === 0) return -1;
  name.length = length;
  const { spelled, lower } = name;
  for (let i = 0; i < length; i++) {
    const octet = source[start + i]!;
    spelled[i] = octet;
    // Length octets are below 0x40, which lower-casing does not change.
    lower[i] = lowerCase(octet);
  }
  hashLabels(name);
  return start + length;
}

/**
 * Sets `name` to the labels of `front` below its ancestor, followed by `back`, whose lower case and hashes are copied.
 * Returns false if the result is too long.
 */
export function joinLookupNames(
  name: LookupName,
  front: LookupName,
  ancestor: number,
  back: LookupName,
): boolean {
  const octets = front.starts[ancestor]!;
  if (octets + back.length > MAX_NAME_OCTETS) return false;
  const { spelled, lower, starts, hashes } = name;
  for (let i = 0; i < octets; i++) {
    spelled[i] = front.spelled[i]!;
    lower[i] = front.lower[i]!;
  }
  for (let i = 0; i < back.length; i++) {
    spelled[octets + i] = back.spelled[i]!;
    lower[octets + i] = back.lower[i]!;
  }
  for (let i = 0; i <= back.labels; i++) {
    starts[ancestor + i] = octets + back.starts[i]!;
    hashes[ancestor + i] = back.hashes[i]!;
  }
  name.length = octets + back.length;
  name.labels = ancestor + back.labels;
  hashFrontLabels(name, front, ancestor);
  return true;
}

function hashFrontLabels(name: LookupName, front: LookupName, ancestor: number): void {
  const { lower, starts, hashes } = name;
  let hash = hashes[ancestor]!;
  let end = starts[ancestor]!;
  for (let label = ancestor - 1; label >= 0; label--) {
    const start = front.starts[label]!;
    for (let i = start; i < end; i++) hash = hashOctet(hash, lower[i]!);
    starts[label] = start;
    hashes[label] = hash;
    end = start;
  }
}

/** Sets `labels` and `starts`. Returns the length of the name, or 0 if it is malformed. */
function findLabels(name: LookupName, source: Uint8Array, start: number, end: number): number {
  const { starts } = name;
  let at = start;
  let labels = 0;
  while (at < end) {
    const labelLength = source[at]!;
    starts[labels] = at - start;
    if (labelLength === 0) {
      name.labels = labels;
      return at - start + 1;
    }
    at += labelLength + 1;
    // The root label must still fit: the octet at `at` may not be the 256th.
    if (labelLength > MAX_LABEL_OCTETS || at - start >= MAX_NAME_OCTETS) return 0;
    labels++;
  }
  return 0;
}

function hashLabels(name: LookupName): void {
  const { labels, starts, lower, hashes } = name;
  let hash = ROOT_HASH;
  let end = starts[labels]!;
  hashes[labels] = hash;
  for (let ancestor = labels - 1; ancestor >= 0; ancestor--) {
    const start = starts[ancestor]!;
    for (let i = start; i < end; i++) hash = hashOctet(hash, lower[i]!);
    hashes[ancestor] = hash;
    end = start;
  }
}

/**
 * Sets a well-formed name.
 * @throws Error otherwise, so queries must not use it
 */
export function setLookupName(name: LookupName, wireName: Uint8Array): void {
  if (readLookupName(name, wireName, 0, wireName.length) !== wireName.length) {
    throw new Error(`This is not a name in wire format: ${Buffer.from(wireName).toString('hex')}`);
  }
}

/** Does the same as `setLookupName`, but returns a new object. */
export function toLookupName(wireName: Uint8Array): LookupName {
  const name = new LookupName();
  setLookupName(name, wireName);
  return name;
}

/** Whether names are equal, regardless of case (RFC 4343). */
export function isSameName(a: LookupName, b: LookupName): boolean {
  return a.labels === b.labels && isAtOrBelow(a, b, 0);
}

/** Whether `name` equals the ancestor `ancestor` of `other`, or is below it. */
export function isAtOrBelow(name: LookupName, other: LookupName, ancestor: number): boolean {
  const above = name.labels - (other.labels - ancestor);
  if (above < 0 || name.hashes[above] !== other.hashes[ancestor]) return false;
  const start = name.starts[above]!;
  const otherStart = other.starts[ancestor]!;
  const length = name.length - start;
  if (length !== other.length - otherStart) return false;
  for (let i = 0; i < length; i++) {
    if (name.lower[start + i] !== other.lower[otherStart + i]) return false;
  }
  return true;
}

/**
 * Hash used by the index of the image: FNV-1a over the labels from the root to the first, with their length octets, in
 * lower case. The hash of a name therefore follows from those of its ancestors.
 */
const ROOT_HASH = 0x811c9dc5 | 0;

const FNV_PRIME = 0x01000193;

/** Continues a hash with another octet. */
export function hashOctet(hash: number, octet: number): number {
  return Math.imul(hash ^ octet, FNV_PRIME);
}

/** Returns the unsigned value for tables: the upper bits of FNV depend on few input octets. */
export function spreadHash(hash: number): number {
  let spread = hash ^ (hash >>> 15);
  spread = Math.imul(spread, 0x2c1b3c6d);
  spread ^= spread >>> 12;
  spread = Math.imul(spread, 0x297a2d39);
  return (spread ^ (spread >>> 15)) >>> 0;
}

/** Converts an octet to lower case, for ASCII letters only (RFC 4343 s3). */
export function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}

/** Returns the hash of the wildcard below the name with this hash. */
export function hashOfWildcardChild(parentHash: number): number {
  return hashOctet(hashOctet(parentHash, 1), 0x2a);
}
