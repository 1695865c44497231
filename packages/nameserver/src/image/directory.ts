import { type LookupName, spreadHash } from '../wire/lookup-name.js';
import type { ImageView } from './image-reader.js';
import {
  DIRECTORY_UNIT_BITS,
  DIRECTORY_UNIT_MASK,
  DIRECTORY_WORD,
  EMPTY_SLOT,
  IMAGE_WORD,
  REMOVED_SLOT,
  offsetOfUnit,
  wordOfOffset,
  wordOfUnit,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from './layout.js';

/** Result of the find functions if nothing was found: no zone, node or RRset is at offset 0. */
export const NOT_FOUND = 0;

/**
 * Returns the offset of the closest zone that encloses the name (RFC 1034 s4.3.2 step 2). The search goes up from the
 * ancestor `fromAncestor` (0: the name itself; 1: its parent).
 */
export function findEnclosingZone(
  image: ImageView,
  name: LookupName,
  fromAncestor: number,
): number {
  for (let ancestor = fromAncestor; ancestor <= name.labels; ancestor++) {
    const slot = findSlot(image, name, ancestor);
    if (slot === NOT_FOUND) continue;
    const block = blockOfSlot(image.words, slot);
    if (isZone(image, block)) return block;
  }
  return NOT_FOUND;
}

/** Whether this ancestor of the name is a name above zones and not a zone itself. */
export function isAboveZones(image: ImageView, name: LookupName, ancestor: number): boolean {
  const slot = findSlot(image, name, ancestor);
  return slot !== NOT_FOUND && !isZone(image, blockOfSlot(image.words, slot));
}

/** Whether the block is a zone, and not a name above zones. */
export function isZone(image: ImageView, block: number): boolean {
  return image.words[wordOfOffset(block) + ZONE_WORD.INDEX_OFFSET] !== 0;
}

/** Returns the position in `words` of the slot of this ancestor of the name, whether a zone or a name above zones. */
export function findSlot(image: ImageView, name: LookupName, ancestor: number): number {
  const { words } = image;
  const directory = wordOfUnit(words[IMAGE_WORD.DIRECTORY_UNIT]!);
  const mask = words[directory + DIRECTORY_WORD.MASK]!;
  const spread = spreadHash(name.hashes[ancestor]!);
  const fingerprint = spread >>> DIRECTORY_UNIT_BITS;
  for (let position = spread & mask; ; position = (position + 1) & mask) {
    const slot = directory + DIRECTORY_WORD.SLOTS + position;
    const entry = words[slot]!;
    if (entry === EMPTY_SLOT) return NOT_FOUND;
    if (entry >>> DIRECTORY_UNIT_BITS !== fingerprint || entry === REMOVED_SLOT) continue;
    if (isApex(image, offsetOfEntry(entry), name, ancestor)) return slot;
  }
}

/** Returns the block of a slot. The slot may change between two calls. */
export function blockOfSlot(words: Int32Array, slot: number): number {
  return offsetOfEntry(words[slot]!);
}

/** Returns the offsets of all zones, unordered. */
export function listZones(image: ImageView): number[] {
  return listBlocks(image).filter((block) => isZone(image, block));
}

/** Returns the offsets of all zones and names above zones, unordered. */
export function listBlocks(image: ImageView): number[] {
  const { words } = image;
  const directory = wordOfUnit(words[IMAGE_WORD.DIRECTORY_UNIT]!);
  const first = directory + DIRECTORY_WORD.SLOTS;
  const blocks: number[] = [];
  for (const entry of words.subarray(first, first + words[directory + DIRECTORY_WORD.MASK]! + 1)) {
    if (entry !== EMPTY_SLOT && entry !== REMOVED_SLOT) blocks.push(offsetOfEntry(entry));
  }
  return blocks;
}

function offsetOfEntry(entry: number): number {
  return offsetOfUnit(entry & DIRECTORY_UNIT_MASK);
}

function isApex(image: ImageView, zone: number, name: LookupName, ancestor: number): boolean {
  if (image.words[wordOfOffset(zone) + ZONE_WORD.APEX_HASH] !== name.hashes[ancestor]) return false;
  const start = name.starts[ancestor]!;
  const length = name.length - start;
  if (image.octets[zone + ZONE_APEX_LENGTH_OFFSET] !== length) return false;
  const apex = zone + ZONE_APEX_NAME_OFFSET;
  for (let i = 0; i < length; i++) {
    if (image.octets[apex + i] !== name.lower[start + i]) return false;
  }
  return true;
}
