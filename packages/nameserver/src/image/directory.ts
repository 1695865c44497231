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

/** Result of `find` functions that find nothing: no zone, node or RRset can lie at offset 0. */
export const NOT_FOUND = 0;

/**
 * Returns the offset of the zone that encloses the name most closely (RFC 1034 s4.3.2 step 2). It starts at the
 * name's ancestor `fromAncestor` (0: the name itself; 1: its parent) and goes upwards.
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

/** Is this ancestor of the name no zone itself, but above one? */
export function isAboveZones(image: ImageView, name: LookupName, ancestor: number): boolean {
  const slot = findSlot(image, name, ancestor);
  return slot !== NOT_FOUND && !isZone(image, blockOfSlot(image.words, slot));
}

/** A zone, or a name above zones? */
export function isZone(image: ImageView, block: number): boolean {
  return image.words[wordOfOffset(block) + ZONE_WORD.INDEX_OFFSET] !== 0;
}

/** The slot, as an index of `words`, of the zone or name above zones that is this ancestor of the name. */
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

/** The block that a slot names; what a slot holds may change from one call to the next. */
export function blockOfSlot(words: Int32Array, slot: number): number {
  return offsetOfEntry(words[slot]!);
}

/** Offsets of all zones, in no order. */
export function listZones(image: ImageView): number[] {
  return listBlocks(image).filter((block) => isZone(image, block));
}

/** Offsets of all zones and names above zones, in no order. */
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
