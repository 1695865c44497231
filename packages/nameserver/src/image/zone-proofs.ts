import { writeDigestLabel } from '../wire/name-digest.js';
import { sha1Digest } from '../wire/sha1.js';
import { NOT_FOUND } from './directory.js';
import type { ImageView } from './image-reader.js';
import {
  NODE_NAME_OFFSET,
  ORDER_BY_HASH,
  ORDER_ENTRY,
  PROOF_WORD,
  wordOfOffset,
  ZONE_WORD,
} from './layout.js';
import { entryOf, orderedNames, toSortable } from './zone-order.js';

/** Whether the zone uses NSEC3. */
export function isOrderedByHash(image: ImageView, zone: number): boolean {
  return (image.words[wordOfOffset(zone) + ZONE_WORD.ORDER_OFFSET]! & ORDER_BY_HASH) !== 0;
}

/** Returns the offset in `octets` of the rdata of the zone's NSEC3PARAM. */
export function digestParameters(image: ImageView, zone: number): number {
  return zone + image.words[entryOf(image, zone, orderedNames(image, zone))]!;
}

/** Returns the node that has the NSEC3 of this node's name. NOT_FOUND if opt-out has no NSEC3 for the name. */
export function matchingProof(image: ImageView, zone: number, node: number): number {
  const proof = image.words[wordOfOffset(node) + PROOF_WORD.OWN]!;
  return proof > 0 ? zone + proof : NOT_FOUND;
}

/** Returns the node whose NSEC3 covers the name of a node without a matching NSEC3. */
export function coveringProof(image: ImageView, zone: number, node: number): number {
  const proof = image.words[wordOfOffset(node) + PROOF_WORD.OWN]!;
  return proof < 0 ? zone - proof : NOT_FOUND;
}

/** Returns the node whose NSEC3 matches or covers the wildcard below a node. NOT_FOUND if it was not computed. */
export function wildcardProof(image: ImageView, zone: number, node: number): number {
  const proof = image.words[wordOfOffset(node) + PROOF_WORD.WILDCARD]!;
  return proof === 0 ? NOT_FOUND : zone + Math.abs(proof);
}

/** Returns the node whose NSEC3 matches or covers the hash in `sha1Digest`. */
export function findProof(image: ImageView, zone: number): number {
  const { words } = image;
  const names = orderedNames(image, zone);
  const first = entryOf(image, zone, 0);
  const wanted = toSortable(sha1Digest[0]!);
  // Hashes are uniformly distributed, so the position is known up to about the square root of their number.
  const guess = Math.floor(((sha1Digest[0]! >>> 0) / 2 ** 32) * names);
  const reach = Math.ceil(Math.sqrt(names));
  let low = guess - reach;
  let high = guess + reach;
  if (low < 0 || prefixAt(words, first, low) >= wanted) low = -1;
  if (high >= names || prefixAt(words, first, high) <= wanted) high = names;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    const prefix = prefixAt(words, first, middle);
    const isAfter =
      prefix === wanted
        ? compareToDigest(image, zone + nodeOfEntry(words, first, middle)) > 0
        : prefix > wanted;
    if (isAfter) high = middle;
    else low = middle;
  }
  // Hashes before the first are covered by the last.
  return zone + nodeOfEntry(words, first, low === -1 ? names - 1 : low);
}

function prefixAt(words: Int32Array, first: number, place: number): number {
  return words[first + place * ORDER_ENTRY.WORDS + ORDER_ENTRY.PREFIX]!;
}

function nodeOfEntry(words: Int32Array, first: number, place: number): number {
  return words[first + place * ORDER_ENTRY.WORDS + ORDER_ENTRY.NODE]!;
}

const LABEL_OCTETS = 32;
const wantedLabel = new Uint8Array(LABEL_OCTETS);

/** Compares hashes. Positive if the node's hash comes after the requested one. */
function compareToDigest({ octets }: ImageView, node: number): number {
  writeDigestLabel(wantedLabel);
  const label = node + NODE_NAME_OFFSET + 1;
  for (let at = 0; at < LABEL_OCTETS; at++) {
    const order = octets[label + at]! - wantedLabel[at]!;
    if (order !== 0) return order;
  }
  return 0;
}
