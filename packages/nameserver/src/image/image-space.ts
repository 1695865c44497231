import { beginEpoch, hasEpochPassed } from './epochs.js';
import type { ImageView } from './image-reader.js';
import {
  IMAGE_HEADER_OCTETS,
  IMAGE_WORD,
  offsetOfUnit,
  unitOfOffset,
  wordOfOffset,
} from './layout.js';
import { SpaceAllocator } from './space-allocator.js';

/** Every block of the image, zone or directory, begins with the octets it takes. */
const BLOCK_OCTETS_WORD = 0;

/** Thrown when the image has no room for a block, not even in what readers have yet to leave. */
export class ImageFullError extends Error {
  override readonly name = 'ImageFullError';

  constructor(octets: number) {
    super(`The zone image has no room for ${octets} octets more; give it a larger size.`);
  }
}

interface RetiredBlock {
  readonly epoch: number;
  readonly offset: number;
  readonly unit: number;
  readonly units: number;
}

/** A block that was swapped out and may serve once more as it is. */
export type HeldBlock = RetiredBlock;

/** Maximum number of blocks that are held for large zones. All of them are given up if others need the memory. */
const MAX_HELD = 4;

/** Hands out the image's memory and takes it back once no reader can be looking at it (epochs.ts). */
export class ImageSpace {
  readonly #image: ImageView;
  readonly #allocator: SpaceAllocator;
  #retired: RetiredBlock[] = [];
  /** Blocks that are kept, by offset: for how many. */
  readonly #pins = new Map<number, number>();
  readonly #held = new Set<HeldBlock>();

  constructor(image: ImageView) {
    this.#image = image;
    this.#allocator = new SpaceAllocator(
      unitOfOffset(IMAGE_HEADER_OCTETS),
      Math.floor(unitOfOffset(image.octets.length)),
    );
  }

  /** Offset of new memory, with whatever it held before. Throws ImageFullError. */
  allocate(octets: number): number {
    this.#reclaim();
    const unit = this.#allocator.allocate(toUnits(octets)) ?? this.#allocateOfHeld(octets);
    if (unit === null) throw new ImageFullError(octets);
    this.#image.words[IMAGE_WORD.HIGH_WATER_UNIT] = this.#allocator.highWater;
    return offsetOfUnit(unit);
  }

  /** Releases memory that was allocated but is not needed. No reader may have been led to it. */
  giveBack(offset: number, octets: number): void {
    this.#allocator.release(unitOfOffset(offset), toUnits(octets));
  }

  /** The block at `offset` has been swapped out: nothing in the image leads to it any more. */
  retire(offset: number): void {
    this.#retired.push(this.#swappedOut(offset));
  }

  /** Like retire(), but the memory stays as it is until it is taken or given up, or others need it. */
  hold(offset: number): HeldBlock {
    const [oldest] = this.#held;
    if (this.#held.size >= MAX_HELD && oldest !== undefined) this.giveUp(oldest);
    const block = this.#swappedOut(offset);
    this.#held.add(block);
    return block;
  }

  /** Whether what was held is free to be written; then it is the caller's, as if it had been allocated. */
  takeHeld(block: HeldBlock): boolean {
    const isFree = hasEpochPassed(this.#image.words, block.epoch) && !this.#pins.has(block.offset);
    return isFree && this.#held.delete(block);
  }

  giveUp(block: HeldBlock): void {
    // It was swapped out before the others.
    if (this.#held.delete(block)) this.#retired.unshift(block);
  }

  #swappedOut(offset: number): RetiredBlock {
    const octets = this.#image.words[wordOfOffset(offset) + BLOCK_OCTETS_WORD]!;
    const epoch = beginEpoch(this.#image.words);
    return { epoch, offset, unit: unitOfOffset(offset), units: toUnits(octets) };
  }

  #allocateOfHeld(octets: number): number | null {
    if (this.#held.size === 0) return null;
    for (const block of this.#held) this.giveUp(block);
    this.#reclaim();
    return this.#allocator.allocate(toUnits(octets));
  }

  /** Keeps the block at `offset`, whatever takes its place, until the function that is returned is called: once. */
  pin(offset: number): () => void {
    const pins = this.#pins;
    pins.set(offset, (pins.get(offset) ?? 0) + 1);
    return () => {
      const left = (pins.get(offset) ?? 1) - 1;
      if (left > 0) pins.set(offset, left);
      else pins.delete(offset);
    };
  }

  /**
   * Takes over an image that holds blocks already: those at the given offsets are in use, all else below the
   * high-water mark is free.
   */
  adopt(blockOffsets: readonly number[]): void {
    const first = this.#allocator.highWater;
    const highWater = this.#image.words[IMAGE_WORD.HIGH_WATER_UNIT]!;
    this.#allocator.allocate(highWater - first);
    let free = first;
    for (const offset of blockOffsets.toSorted((a, b) => a - b)) {
      const unit = unitOfOffset(offset);
      if (unit > free) this.#allocator.release(free, unit - free);
      free = unit + toUnits(this.#image.words[wordOfOffset(offset) + BLOCK_OCTETS_WORD]!);
    }
    if (highWater > free) this.#allocator.release(free, highWater - free);
  }

  #reclaim(): void {
    let passed = 0;
    const kept: RetiredBlock[] = [];
    for (const block of this.#retired) {
      if (!hasEpochPassed(this.#image.words, block.epoch)) break;
      if (this.#pins.has(block.offset)) kept.push(block);
      else this.#allocator.release(block.unit, block.units);
      passed++;
    }
    if (passed > kept.length) this.#retired = [...kept, ...this.#retired.slice(passed)];
  }
}

function toUnits(octets: number): number {
  return Math.ceil(unitOfOffset(octets));
}
