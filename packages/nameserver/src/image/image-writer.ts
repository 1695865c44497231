import { LookupName, setLookupName } from '../wire/lookup-name.js';
import {
  createDirectory,
  enterIntoDirectory,
  makeRoomInDirectory,
  removeFromDirectory,
  replaceInDirectory,
} from './directory-writer.js';
import { blockOfSlot, findSlot, isZone, listBlocks, listZones, NOT_FOUND } from './directory.js';
import { FIRST_EPOCH, leaveImage } from './epochs.js';
import { type ImageView, viewImage } from './image-reader.js';
import { type HeldBlock, ImageSpace } from './image-space.js';
import {
  IMAGE_MAGIC,
  IMAGE_STATE,
  IMAGE_WORD,
  type ImageState,
  MAX_READERS,
  offsetOfUnit,
  wordOfOffset,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from './layout.js';
import { NamesAboveZones } from './names-above-zones.js';
import type { NextBlock, PatchedBlock, Written } from './zone-block.js';
import { copyOctets, runToEnd, type Interruptible } from './steps.js';
import { isSignedZone } from './zone-block.js';
import { signedUntil } from './zone-order.js';
import { isOrderedByHash } from './zone-proofs.js';

/** One version of a zone, which stays while others take its place. */
export interface PinnedZone {
  readonly block: Uint8Array;
  readonly release: () => void;
}

/** Room in the image for a zone that is patched there; nobody reads it before it is published. One of the two has to be called, once. */
export interface ReservedBlock extends NextBlock {
  /** Publishes the block as ImageWriter.put() does. */
  readonly publish: (patched: PatchedBlock) => void;
  readonly giveBack: () => void;
}

/** A zone that takes less is copied for each patch: that is nothing. */
const LEAST_OCTETS_WITH_ROOM = 1_048_576;
/** Part of the nodes' octets that is kept free for patches, so that they need no copy of the block. */
const ROOM_PART = 1 / 32;

/** The block of a zone that was patched, and the one before it, whose memory is that of the next if nobody needs it. */
interface Versions {
  readonly zone: number;
  readonly nodesEnd: number;
  readonly before?: { readonly held: HeldBlock; readonly written: Written } | undefined;
}

/**
 * The one writer of a zone image. Its buffer goes to the readers; each change is visible to all of them at once when
 * the method returns, and no answer ever sees half of one.
 */
export class ImageWriter {
  readonly buffer: SharedArrayBuffer;
  readonly #image: ImageView;
  readonly #space: ImageSpace;
  readonly #namesAbove: NamesAboveZones;
  readonly #name = new LookupName();
  /** When the first signature of each signed zone ends, by apex. */
  readonly #signedUntil = new Map<string, number>();
  /** Versions of large zones that are patched, by apex. */
  readonly #versions = new Map<string, Versions>();

  private constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#image = viewImage(buffer);
    this.#space = new ImageSpace(this.#image);
    this.#namesAbove = new NamesAboveZones(this.#image, this.#space);
  }

  /** An image without zones. Untouched memory of the buffer costs nothing, so it may be reserved generously. */
  static create(octets: number): ImageWriter {
    const writer = new ImageWriter(new SharedArrayBuffer(octets));
    const { words } = writer.#image;
    words[IMAGE_WORD.STATE] = IMAGE_STATE.LOADING;
    words[IMAGE_WORD.EPOCH] = FIRST_EPOCH;
    createDirectory(writer.#image, writer.#space);
    Atomics.store(words, IMAGE_WORD.MAGIC, IMAGE_MAGIC);
    return writer;
  }

  /** Goes on with an image that another writer left (a snapshot) and that nobody reads yet. */
  static resume(buffer: SharedArrayBuffer): ImageWriter {
    const writer = new ImageWriter(buffer);
    const { words } = writer.#image;
    if (words[IMAGE_WORD.MAGIC] !== IMAGE_MAGIC)
      throw new Error('These octets are not a zone image.');
    for (let reader = 0; reader < MAX_READERS; reader++) leaveImage(words, reader);
    const directory = offsetOfUnit(words[IMAGE_WORD.DIRECTORY_UNIT]!);
    writer.#space.adopt([directory, ...listBlocks(writer.#image)]);
    for (const apex of writer.listApexes()) writer.#namesAbove.add(writer.#nameOf(apex));
    for (const zone of listZones(writer.#image)) writer.#watchSignatures(zone);
    return writer;
  }

  /** Adds a zone, or replaces it as a whole; `block` is from compileZone(). Throws ImageFullError. */
  put(block: Uint8Array): void {
    runToEnd(this.putInSteps(block));
  }

  /**
   * Like put(), but it can be interrupted if the zone is large. Readers see the previous version until the last step.
   */
  *putInSteps(block: Uint8Array): Interruptible<void> {
    const zone = this.#space.allocate(block.length);
    let isPublished = false;
    try {
      yield* copyOctets(block, this.#image.octets, zone);
      this.#publish(zone, this.#nameOf(apexOfBlock(block, 0)));
      isPublished = true;
    } finally {
      if (!isPublished) this.#space.giveBack(zone, block.length);
    }
  }

  /** For the next block of a zone that is there; `take` throws ImageFullError. */
  reserveNext(apex: Uint8Array): ReservedBlock {
    const versions = this.#versions.get(keyOf(apex));
    const before = versions?.before;
    let taken: { readonly zone: number; readonly octets: number } | undefined;
    if (before !== undefined && this.#space.takeHeld(before.held)) {
      const zone = before.held.offset;
      taken = { zone, octets: this.#zoneWord(zone, ZONE_WORD.OCTETS) };
    }
    const giveBack = () => {
      if (taken !== undefined) this.#space.giveBack(taken.zone, taken.octets);
      taken = undefined;
    };
    const blockOf = ({ zone, octets }: NonNullable<typeof taken>) =>
      this.#image.octets.subarray(zone, zone + octets);
    return {
      nodesEnd: versions?.nodesEnd,
      roomBehind: (octets) => (octets < LEAST_OCTETS_WITH_ROOM ? 0 : octets * ROOM_PART),
      before: before && taken && { block: blockOf(taken), written: before.written },
      take: (octets) => {
        giveBack();
        taken = { zone: this.#space.allocate(octets), octets };
        return blockOf(taken);
      },
      publish: (patched) => {
        if (taken !== undefined) this.#publishNext(taken.zone, apex, patched);
        taken = undefined;
      },
      giveBack,
    };
  }

  #publishNext(zone: number, apex: Uint8Array, { nodesEnd, written }: PatchedBlock): void {
    let held: HeldBlock | undefined;
    this.#publish(zone, this.#nameOf(apex), (old) => {
      if (written === undefined) this.#space.retire(old);
      else held = this.#space.hold(old);
    });
    if (nodesEnd === this.#zoneWord(zone, ZONE_WORD.INDEX_OFFSET)) return;
    const before = held && written && { held, written };
    this.#versions.set(keyOf(apex), { zone, nodesEnd, before });
  }

  #forgetVersions(key: string): void {
    const before = this.#versions.get(key)?.before;
    if (before !== undefined) this.#space.giveUp(before.held);
    this.#versions.delete(key);
  }

  /** Publishes a block. Operations that can fail come first. */
  #publish(zone: number, apex: LookupName, swapOut = this.#retire): void {
    if (this.#findZone(apex) === NOT_FOUND) this.#makeRoom(apex);
    this.#count(zone, 1);
    this.#watchSignatures(zone);
    const slot = findSlot(this.#image, apex, 0);
    if (slot === NOT_FOUND) {
      enterIntoDirectory(this.#image, zone);
      return;
    }
    const old = blockOfSlot(this.#image.words, slot);
    replaceInDirectory(this.#image, slot, zone);
    if (isZone(this.#image, old)) this.#count(old, -1);
    this.#forgetVersions(keyOfBlock(this.#image.octets, zone));
    swapOut(old);
  }

  readonly #retire = (block: number): void => {
    this.#space.retire(block);
  };

  #makeRoom(apex: LookupName): void {
    this.#namesAbove.add(apex);
    try {
      makeRoomInDirectory(this.#image, this.#space);
    } catch (error) {
      this.#namesAbove.remove(apex);
      throw error;
    }
  }

  /** False if there is no such zone. */
  remove(apex: Uint8Array): boolean {
    const name = this.#nameOf(apex);
    const zone = this.#findZone(name);
    if (zone === NOT_FOUND) return false;
    const slot = findSlot(this.#image, name, 0);
    if (this.#namesAbove.has(name)) this.#namesAbove.replaceZone(name, slot);
    else removeFromDirectory(this.#image, slot);
    this.#namesAbove.remove(name);
    this.#count(zone, -1);
    const key = keyOfBlock(this.#image.octets, zone);
    this.#signedUntil.delete(key);
    this.#forgetVersions(key);
    this.#space.retire(zone);
    return true;
  }

  /** The block of the zone with this apex, which stays as it is until the zone is put or removed. */
  zoneBlock(apex: Uint8Array): Uint8Array | undefined {
    const zone = this.#findZone(this.#nameOf(apex));
    if (zone === NOT_FOUND) return undefined;
    return this.#image.octets.subarray(zone, zone + this.#zoneWord(zone, ZONE_WORD.OCTETS));
  }

  /** The zone's block as it is now, for as long as it takes; `release` has to be called once. */
  pinZone(apex: Uint8Array): PinnedZone | undefined {
    const zone = this.#findZone(this.#nameOf(apex));
    if (zone === NOT_FOUND) return undefined;
    const block = this.#image.octets.subarray(zone, zone + this.#zoneWord(zone, ZONE_WORD.OCTETS));
    return { block, release: this.#space.pin(zone) };
  }

  /** The serial of the zone with this apex, or undefined if there is none. */
  zoneSerial(apex: Uint8Array): number | undefined {
    const zone = this.#findZone(this.#nameOf(apex));
    if (zone === NOT_FOUND) return undefined;
    return this.#zoneWord(zone, ZONE_WORD.SERIAL) >>> 0;
  }

  /** Whether the zone with this apex is signed; undefined if there is none. */
  isSigned(apex: Uint8Array): boolean | undefined {
    const zone = this.#findZone(this.#nameOf(apex));
    return zone === NOT_FOUND ? undefined : isSignedZone(this.#image, zone);
  }

  /** Whether there is a zone with this apex that denies names by NSEC3. */
  isOrderedByHash(apex: Uint8Array): boolean {
    const zone = this.#findZone(this.#nameOf(apex));
    return zone !== NOT_FOUND && isOrderedByHash(this.#image, zone);
  }

  /** Apexes of all zones as wire names, in no order. */
  listApexes(): Uint8Array[] {
    return listZones(this.#image).map((zone) => apexOfBlock(this.#image.octets, zone).slice());
  }

  setState(state: ImageState): void {
    Atomics.store(this.#image.words, IMAGE_WORD.STATE, state);
  }

  get zones(): number {
    return this.#image.words[IMAGE_WORD.ZONES]!;
  }

  get records(): number {
    return this.#image.words[IMAGE_WORD.RECORDS]!;
  }

  /** When the first signature of all signed zones ends, in seconds since 1970; Infinity: none is signed. */
  get signedUntil(): number {
    let first = Infinity;
    for (const until of this.#signedUntil.values()) if (until < first) first = until;
    return first;
  }

  /** Octets from the start of the buffer that have ever been used; those beyond are zero. */
  get usedOctets(): number {
    return offsetOfUnit(this.#image.words[IMAGE_WORD.HIGH_WATER_UNIT]!);
  }

  /** For a reader that ended without leave(), a worker that crashed: its last batch would keep memory from reuse. */
  dismissReader(readerIndex: number): void {
    leaveImage(this.#image.words, readerIndex);
  }

  /** Valid until it is called again. */
  #nameOf(apex: Uint8Array): LookupName {
    setLookupName(this.#name, apex);
    return this.#name;
  }

  /** The zone of this name; none above it. */
  #findZone(apex: LookupName): number {
    const slot = findSlot(this.#image, apex, 0);
    if (slot === NOT_FOUND) return NOT_FOUND;
    const block = blockOfSlot(this.#image.words, slot);
    return isZone(this.#image, block) ? block : NOT_FOUND;
  }

  #zoneWord(zone: number, word: number): number {
    return this.#image.words[wordOfOffset(zone) + word]!;
  }

  #watchSignatures(zone: number): void {
    const key = keyOfBlock(this.#image.octets, zone);
    if (isSignedZone(this.#image, zone)) this.#signedUntil.set(key, signedUntil(this.#image, zone));
    else this.#signedUntil.delete(key);
  }

  #count(zone: number, sign: 1 | -1): void {
    const { words } = this.#image;
    words[IMAGE_WORD.ZONES]! += sign;
    words[IMAGE_WORD.RECORDS]! += sign * this.#zoneWord(zone, ZONE_WORD.RECORDS);
  }
}

export function isReadableImage(words: Int32Array): boolean {
  return words[IMAGE_WORD.MAGIC] === IMAGE_MAGIC;
}

function keyOfBlock(octets: Uint8Array, zone: number): string {
  return keyOf(apexOfBlock(octets, zone));
}

function keyOf(apex: Uint8Array): string {
  return Buffer.from(apex).toString('latin1');
}

function apexOfBlock(octets: Uint8Array, zone: number): Uint8Array {
  const start = zone + ZONE_APEX_NAME_OFFSET;
  return octets.subarray(start, start + octets[zone + ZONE_APEX_LENGTH_OFFSET]!);
}
