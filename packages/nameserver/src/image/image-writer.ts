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

/** One version of a zone, which is kept while newer ones replace it. */
export interface PinnedZone {
  readonly block: Uint8Array;
  readonly release: () => void;
}

/**
 * Memory in the image for a patched zone. No reader sees it before it is published. Exactly one of the two functions
 * must be called, once.
 */
export interface ReservedBlock extends NextBlock {
  /** Publishes the block as ImageWriter.put() does. */
  readonly publish: (patched: PatchedBlock) => void;
  readonly giveBack: () => void;
}

/** Minimum size of a zone with room for patches. A smaller zone is copied for each patch. */
const LEAST_OCTETS_WITH_ROOM = 1_048_576;
/** Part of the nodes' octets that is reserved for patches, so that they need no copy of the block. */
const ROOM_PART = 1 / 32;

/** Block of a patched zone, and the previous one, whose memory is reused for the next unless others need it. */
interface Versions {
  readonly zone: number;
  readonly nodesEnd: number;
  readonly before?: { readonly held: HeldBlock; readonly written: Written } | undefined;
}

/**
 * The only writer of a zone image. Readers share its buffer. Each change becomes visible to all of them at once, when
 * the method returns; no answer sees a partial change.
 */
export class ImageWriter {
  readonly buffer: SharedArrayBuffer;
  readonly #image: ImageView;
  readonly #space: ImageSpace;
  readonly #namesAbove: NamesAboveZones;
  readonly #name = new LookupName();
  /** Time at which the first signature of each signed zone expires, by apex. */
  readonly #signedUntil = new Map<string, number>();
  /** Versions of large patched zones, by apex. */
  readonly #versions = new Map<string, Versions>();

  private constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#image = viewImage(buffer);
    this.#space = new ImageSpace(this.#image);
    this.#namesAbove = new NamesAboveZones(this.#image, this.#space);
  }

  /** Creates an image without zones. Memory costs nothing until it is used, so it may be reserved generously. */
  static create(octets: number): ImageWriter {
    const writer = new ImageWriter(new SharedArrayBuffer(octets));
    const { words } = writer.#image;
    words[IMAGE_WORD.STATE] = IMAGE_STATE.LOADING;
    words[IMAGE_WORD.EPOCH] = FIRST_EPOCH;
    createDirectory(writer.#image, writer.#space);
    Atomics.store(words, IMAGE_WORD.MAGIC, IMAGE_MAGIC);
    return writer;
  }

  /** Continues with an image from another writer (a snapshot) that nobody reads yet. */
  static resume(buffer: SharedArrayBuffer): ImageWriter {
    const writer = new ImageWriter(buffer);
    const { words } = writer.#image;
    if (words[IMAGE_WORD.MAGIC] !== IMAGE_MAGIC) throw new Error('The data is not a zone image.');
    for (let reader = 0; reader < MAX_READERS; reader++) leaveImage(words, reader);
    const directory = offsetOfUnit(words[IMAGE_WORD.DIRECTORY_UNIT]!);
    writer.#space.adopt([directory, ...listBlocks(writer.#image)]);
    for (const apex of writer.listApexes()) writer.#namesAbove.add(writer.#nameOf(apex));
    for (const zone of listZones(writer.#image)) writer.#watchSignatures(zone);
    return writer;
  }

  /**
   * Adds a zone, or replaces all of it.
   * @param block result of compileZone()
   * @throws ImageFullError
   */
  put(block: Uint8Array): void {
    runToEnd(this.putInSteps(block));
  }

  /**
   * Does the same as put(), but yields, so that a large zone can be interrupted. Readers see the previous version until
   * the last step.
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

  /** Returns memory for the next block of an existing zone. Its function `take` throws ImageFullError. */
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

  /** Publishes a block. Steps that can fail come first. */
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

  /** Returns false if the zone does not exist. */
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

  /** Returns the block of the zone with this apex. It does not change until the zone is put or removed. */
  zoneBlock(apex: Uint8Array): Uint8Array | undefined {
    const zone = this.#findZone(this.#nameOf(apex));
    if (zone === NOT_FOUND) return undefined;
    return this.#image.octets.subarray(zone, zone + this.#zoneWord(zone, ZONE_WORD.OCTETS));
  }

  /** Returns the current block of the zone and keeps it until `release` is called, once. */
  pinZone(apex: Uint8Array): PinnedZone | undefined {
    const zone = this.#findZone(this.#nameOf(apex));
    if (zone === NOT_FOUND) return undefined;
    const block = this.#image.octets.subarray(zone, zone + this.#zoneWord(zone, ZONE_WORD.OCTETS));
    return { block, release: this.#space.pin(zone) };
  }

  /** Returns the serial of the zone with this apex, or undefined if there is none. */
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

  /** Whether the zone with this apex exists and denies names by NSEC3. */
  isOrderedByHash(apex: Uint8Array): boolean {
    const zone = this.#findZone(this.#nameOf(apex));
    return zone !== NOT_FOUND && isOrderedByHash(this.#image, zone);
  }

  /** Returns the apexes of all zones in wire form, unordered. */
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

  /**
   * Time at which the first signature of any signed zone expires, in seconds since 1970. Infinity if no zone is signed.
   */
  get signedUntil(): number {
    let first = Infinity;
    for (const until of this.#signedUntil.values()) if (until < first) first = until;
    return first;
  }

  /** Number of octets from the start of the buffer that have ever been used. The octets after them are zero. */
  get usedOctets(): number {
    return offsetOfUnit(this.#image.words[IMAGE_WORD.HIGH_WATER_UNIT]!);
  }

  /**
   * Removes a reader that ended without leave() because its worker crashed. Its last batch would block reuse of
   * memory.
   */
  dismissReader(readerIndex: number): void {
    leaveImage(this.#image.words, readerIndex);
  }

  /** The returned object is valid until the next call. */
  #nameOf(apex: Uint8Array): LookupName {
    setLookupName(this.#name, apex);
    return this.#name;
  }

  /** Returns the zone with exactly this name. */
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
