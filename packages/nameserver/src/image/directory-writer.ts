import type { ImageSpace } from './image-space.js';
import type { ImageView } from './image-reader.js';
import {
  DIRECTORY_UNIT_BITS,
  DIRECTORY_WORD,
  EMPTY_SLOT,
  IMAGE_WORD,
  REMOVED_SLOT,
  offsetOfUnit,
  unitOfOffset,
  wordOfOffset,
  wordOfUnit,
  ZONE_WORD,
} from './layout.js';
import { listBlocks } from './directory.js';
import { spreadHash } from '../wire/lookup-name.js';

/** Number of slots in a new image's directory, which doubles when it grows. */
const FIRST_SLOTS = 256;

/** Maximum load of the directory. Removed slots count, too: they lengthen probe sequences like occupied ones. */
const MAX_LOAD = 0.5;

export function createDirectory(image: ImageView, space: ImageSpace): void {
  const directory = writeEmptyDirectory(image, space, FIRST_SLOTS);
  Atomics.store(image.words, IMAGE_WORD.DIRECTORY_UNIT, unitOfOffset(directory));
}

/** Called before `enterIntoDirectory`, so that a full image causes no partial change. */
export function makeRoomInDirectory(image: ImageView, space: ImageSpace): void {
  const directory = currentDirectory(image);
  const slots = image.words[directory + DIRECTORY_WORD.MASK]! + 1;
  const inUse = image.words[directory + DIRECTORY_WORD.IN_USE]!;
  if (inUse + 1 > slots * MAX_LOAD) rebuildDirectory(image, space);
}

/** Adds a zone, or a name above zones, that does not have a slot yet. */
export function enterIntoDirectory(image: ImageView, block: number): void {
  insertBlock(image, currentDirectory(image), block);
}

/** Points a slot to another block, with one store. */
export function replaceInDirectory(image: ImageView, slot: number, block: number): void {
  Atomics.store(image.words, slot, entryOf(image, block));
}

/**
 * Marks the slot as removed. It stays in use until the directory is rebuilt, so that lookups of other names continue
 * past it.
 */
export function removeFromDirectory(image: ImageView, slot: number): void {
  Atomics.store(image.words, slot, REMOVED_SLOT);
}

/** Builds a directory that is at most a quarter full and has no removed slots. Readers switch to it with one store. */
function rebuildDirectory(image: ImageView, space: ImageSpace): void {
  const blocks = listBlocks(image);
  const slots = Math.max(FIRST_SLOTS, 2 ** Math.ceil(Math.log2((blocks.length + 1) * 4)));
  const offset = writeEmptyDirectory(image, space, slots);
  for (const block of blocks) insertBlock(image, wordOfOffset(offset), block);
  const old = offsetOfUnit(Atomics.load(image.words, IMAGE_WORD.DIRECTORY_UNIT));
  Atomics.store(image.words, IMAGE_WORD.DIRECTORY_UNIT, unitOfOffset(offset));
  space.retire(old);
}

function writeEmptyDirectory(image: ImageView, space: ImageSpace, slots: number): number {
  const octets = (DIRECTORY_WORD.SLOTS + slots) * 4;
  const offset = space.allocate(octets);
  const directory = wordOfOffset(offset);
  image.words[directory + DIRECTORY_WORD.OCTETS] = octets;
  image.words[directory + DIRECTORY_WORD.MASK] = slots - 1;
  image.words[directory + DIRECTORY_WORD.IN_USE] = 0;
  const first = directory + DIRECTORY_WORD.SLOTS;
  image.words.fill(EMPTY_SLOT, first, first + slots);
  return offset;
}

function insertBlock(image: ImageView, directory: number, block: number): void {
  const { words } = image;
  const mask = words[directory + DIRECTORY_WORD.MASK]!;
  let position = spreadHash(words[wordOfOffset(block) + ZONE_WORD.APEX_HASH]!) & mask;
  let slot = directory + DIRECTORY_WORD.SLOTS + position;
  while (words[slot] !== EMPTY_SLOT && words[slot] !== REMOVED_SLOT) {
    position = (position + 1) & mask;
    slot = directory + DIRECTORY_WORD.SLOTS + position;
  }
  if (words[slot] === EMPTY_SLOT) words[directory + DIRECTORY_WORD.IN_USE]! += 1;
  Atomics.store(words, slot, entryOf(image, block));
}

function entryOf(image: ImageView, block: number): number {
  const spread = spreadHash(image.words[wordOfOffset(block) + ZONE_WORD.APEX_HASH]!);
  const fingerprint = spread >>> DIRECTORY_UNIT_BITS;
  return (fingerprint << DIRECTORY_UNIT_BITS) | unitOfOffset(block);
}

/** Returns the position in `words` of the current directory. */
function currentDirectory(image: ImageView): number {
  return wordOfUnit(Atomics.load(image.words, IMAGE_WORD.DIRECTORY_UNIT));
}
