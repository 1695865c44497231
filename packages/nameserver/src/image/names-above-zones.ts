import type { LookupName } from '../wire/lookup-name.js';
import {
  enterIntoDirectory,
  makeRoomInDirectory,
  removeFromDirectory,
  replaceInDirectory,
} from './directory-writer.js';
import { blockOfSlot, findSlot, isZone, NOT_FOUND } from './directory.js';
import type { ImageView } from './image-reader.js';
import { ImageFullError, type ImageSpace } from './image-space.js';
import {
  UNIT_OCTETS,
  wordOfOffset,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from './layout.js';

/** Number of a name's parent. Ancestor 0 of a LookupName is the whole name. */
const PARENT = 1;

/**
 * Names above hosted zones. If such a name is in another hosted zone, it is an empty non-terminal there (RFC 4592
 * s2.2.2, RFC 8020 s2). The zone does not need records in between: `mail.parent.` exists as soon as `a.mail.parent.` is
 * a zone. The directory contains the names, so that zones can be added and removed without a change of others.
 */
export class NamesAboveZones {
  readonly #image: ImageView;
  readonly #space: ImageSpace;
  /** Number of zones below each name. */
  readonly #zonesBelow = new Map<string, number>();

  constructor(image: ImageView, space: ImageSpace) {
    this.#image = image;
    this.#space = space;
  }

  has(name: LookupName): boolean {
    return this.#zonesBelow.has(keyOf(name, 0));
  }

  /**
   * Called before a zone with this name is added.
   * @throws ImageFullError without any change
   */
  add(name: LookupName): void {
    let ancestor = PARENT;
    try {
      for (; ancestor < name.labels; ancestor++) {
        const key = keyOf(name, ancestor);
        const zones = this.#zonesBelow.get(key) ?? 0;
        if (zones === 0) this.#enter(name, ancestor);
        this.#zonesBelow.set(key, zones + 1);
      }
    } catch (error) {
      this.#removeUpTo(name, ancestor);
      throw error;
    }
  }

  /** Called when the zone with this name has been removed. */
  remove(name: LookupName): void {
    this.#removeUpTo(name, name.labels);
  }

  /** Removes the zone at `slot`. Its name is kept, because zones are below it, unless the image is full. */
  replaceZone(name: LookupName, slot: number): void {
    try {
      replaceInDirectory(this.#image, slot, this.#write(name, 0));
    } catch (error) {
      if (!(error instanceof ImageFullError)) throw error;
      removeFromDirectory(this.#image, slot);
    }
  }

  #enter(name: LookupName, ancestor: number): void {
    if (findSlot(this.#image, name, ancestor) !== NOT_FOUND) return;
    makeRoomInDirectory(this.#image, this.#space);
    enterIntoDirectory(this.#image, this.#write(name, ancestor));
  }

  #removeUpTo(name: LookupName, end: number): void {
    for (let ancestor = PARENT; ancestor < end; ancestor++) {
      const key = keyOf(name, ancestor);
      const zones = this.#zonesBelow.get(key)!;
      if (zones > 1) {
        this.#zonesBelow.set(key, zones - 1);
        continue;
      }
      this.#zonesBelow.delete(key);
      const slot = findSlot(this.#image, name, ancestor);
      if (slot === NOT_FOUND) continue;
      const block = blockOfSlot(this.#image.words, slot);
      if (isZone(this.#image, block)) continue;
      removeFromDirectory(this.#image, slot);
      this.#space.retire(block);
    }
  }

  /** Returns a block with a header and a name and without nodes. */
  #write(name: LookupName, ancestor: number): number {
    const { octets, words } = this.#image;
    const start = name.starts[ancestor]!;
    const length = name.length - start;
    const blockOctets = Math.ceil((ZONE_APEX_NAME_OFFSET + length) / UNIT_OCTETS) * UNIT_OCTETS;
    const block = this.#space.allocate(blockOctets);
    octets.fill(0, block, block + blockOctets);
    words[wordOfOffset(block) + ZONE_WORD.OCTETS] = blockOctets;
    words[wordOfOffset(block) + ZONE_WORD.APEX_HASH] = name.hashes[ancestor]!;
    octets[block + ZONE_APEX_LENGTH_OFFSET] = length;
    octets.set(name.lower.subarray(start, name.length), block + ZONE_APEX_NAME_OFFSET);
    return block;
  }
}

function keyOf(name: LookupName, ancestor: number): string {
  return Buffer.from(
    name.lower.buffer,
    name.starts[ancestor],
    name.length - name.starts[ancestor]!,
  ).toString('latin1');
}
