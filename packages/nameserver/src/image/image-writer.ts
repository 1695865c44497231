import { LookupName, setLookupName } from '../wire/lookup-name.js';
import {
  createDirectory,
  enterIntoDirectory,
  makeRoomInDirectory,
  removeFromDirectory,
  replaceInDirectory,
} from './directory-writer.js';
import { findZoneSlot, listZones, NOT_FOUND, zoneOfSlot } from './directory.js';
import { FIRST_EPOCH, leaveImage } from './epochs.js';
import type { ImageView } from './image-reader.js';
import { ImageSpace } from './image-space.js';
import {
  IMAGE_MAGIC,
  IMAGE_STATE,
  IMAGE_WORD,
  type ImageState,
  MAX_READERS,
  UNIT_SHIFT,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from './layout.js';
import { copyOctets, runToEnd, type Steps } from './steps.js';

/**
 * The one writer of a zone image. Its buffer goes to the readers; each change is visible to all of them at once when
 * the method returns, and no answer ever sees half of one.
 */
export class ImageWriter {
  readonly buffer: SharedArrayBuffer;
  readonly #image: ImageView;
  readonly #space: ImageSpace;
  readonly #name = new LookupName();

  private constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#image = { octets: new Uint8Array(buffer), words: new Int32Array(buffer) };
    this.#space = new ImageSpace(this.#image);
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
    if (words[IMAGE_WORD.MAGIC] !== IMAGE_MAGIC) throw new Error('This is no zone image.');
    for (let reader = 0; reader < MAX_READERS; reader++) leaveImage(words, reader);
    const directory = words[IMAGE_WORD.DIRECTORY_UNIT]! << UNIT_SHIFT;
    writer.#space.adopt([directory, ...listZones(writer.#image)]);
    return writer;
  }

  /** Adds a zone, or replaces it as a whole; `block` is from compileZone(). Throws ImageFullError. */
  put(block: Uint8Array): void {
    runToEnd(this.putInSteps(block));
  }

  /** As put(); to be interrupted where the zone is large. Readers see the zone that was there until the last step. */
  *putInSteps(block: Uint8Array): Steps<void> {
    const apex = apexOfBlock(block, 0);
    if (this.#findSlot(apex) === NOT_FOUND) makeRoomInDirectory(this.#image, this.#space);
    const zone = this.#space.allocate(block.length);
    let isCopied = false;
    try {
      yield* copyOctets(block, this.#image.octets, zone);
      isCopied = true;
    } finally {
      if (!isCopied) this.#space.giveBack(zone, block.length);
    }
    this.#publish(zone, this.#findSlot(apex));
  }

  #publish(zone: number, slot: number): void {
    this.#count(zone, 1);
    if (slot === NOT_FOUND) {
      enterIntoDirectory(this.#image, zone);
      return;
    }
    const old = zoneOfSlot(this.#image.words, slot);
    replaceInDirectory(this.#image, slot, zone);
    this.#count(old, -1);
    this.#space.retire(old);
  }

  /** False if there is no such zone. */
  remove(apex: Uint8Array): boolean {
    const slot = this.#findSlot(apex);
    if (slot === NOT_FOUND) return false;
    const zone = zoneOfSlot(this.#image.words, slot);
    removeFromDirectory(this.#image, slot);
    this.#count(zone, -1);
    this.#space.retire(zone);
    return true;
  }

  /** The block of the zone with this apex, which stays as it is until the zone is put or removed. */
  zoneBlock(apex: Uint8Array): Uint8Array | undefined {
    const slot = this.#findSlot(apex);
    if (slot === NOT_FOUND) return undefined;
    const zone = zoneOfSlot(this.#image.words, slot);
    return this.#image.octets.subarray(zone, zone + this.#zoneWord(zone, ZONE_WORD.OCTETS));
  }

  /** The serial of the zone with this apex, or undefined if there is none. */
  zoneSerial(apex: Uint8Array): number | undefined {
    const slot = this.#findSlot(apex);
    if (slot === NOT_FOUND) return undefined;
    return this.#zoneWord(zoneOfSlot(this.#image.words, slot), ZONE_WORD.SERIAL) >>> 0;
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

  /** Octets from the start of the buffer that have ever been used; those beyond are zero. */
  get usedOctets(): number {
    return this.#image.words[IMAGE_WORD.HIGH_WATER_UNIT]! << UNIT_SHIFT;
  }

  /** For a reader that ended without leave(), a worker that crashed: its last batch would keep memory from reuse. */
  dismissReader(readerIndex: number): void {
    leaveImage(this.#image.words, readerIndex);
  }

  #findSlot(apex: Uint8Array): number {
    setLookupName(this.#name, apex);
    return findZoneSlot(this.#image, this.#name, 0);
  }

  #zoneWord(zone: number, word: number): number {
    return this.#image.words[(zone >> 2) + word]!;
  }

  #count(zone: number, sign: 1 | -1): void {
    const { words } = this.#image;
    words[IMAGE_WORD.ZONES]! += sign;
    words[IMAGE_WORD.RECORDS]! += sign * this.#zoneWord(zone, ZONE_WORD.RECORDS);
  }
}

function apexOfBlock(octets: Uint8Array, zone: number): Uint8Array {
  const start = zone + ZONE_APEX_NAME_OFFSET;
  return octets.subarray(start, start + octets[zone + ZONE_APEX_LENGTH_OFFSET]!);
}
