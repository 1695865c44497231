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

/** Every block of the image, zone or directory, starts with its length in octets. */
const BLOCK_OCTETS_WORD = 0;

/** Error: the image has no room for a block, even including memory that readers still use. */
export class ImageFullError extends Error {
  override readonly name = 'ImageFullError';

  constructor(octets: number) {
    super(`The zone image has no space for another ${octets} octets; increase its size.`);
  }
}

interface RetiredBlock {
  readonly epoch: number;
  readonly offset: number;
  readonly unit: number;
  readonly units: number;
}

/** A replaced block that may be updated and used again. */
export type HeldBlock = RetiredBlock;

/** Maximum number of blocks that are kept for large zones. All of them are released if others need the memory. */
const MAX_HELD = 4;

/** Allocates memory of the image and reuses it when no reader can access it (epochs.ts). */
export class ImageSpace {
  readonly #image: ImageView;
  readonly #allocator: SpaceAllocator;
  #retired: RetiredBlock[] = [];
  /** Pinned blocks by offset, with the number of their users. */
  readonly #pins = new Map<number, number>();
  readonly #held = new Set<HeldBlock>();

  constructor(image: ImageView) {
    this.#image = image;
    this.#allocator = new SpaceAllocator(
      unitOfOffset(IMAGE_HEADER_OCTETS),
      Math.floor(unitOfOffset(image.octets.length)),
    );
  }

  /**
   * Returns the offset of allocated memory with arbitrary content.
   * @throws ImageFullError
   */
  allocate(octets: number): number {
    this.#reclaim();
    const unit = this.#allocator.allocate(toUnits(octets)) ?? this.#allocateOfHeld(octets);
    if (unit === null) throw new ImageFullError(octets);
    this.#image.words[IMAGE_WORD.HIGH_WATER_UNIT] = this.#allocator.highWater;
    return offsetOfUnit(unit);
  }

  /** Releases allocated memory that is not needed and that no reader has seen. */
  giveBack(offset: number, octets: number): void {
    this.#allocator.release(unitOfOffset(offset), toUnits(octets));
  }

  /** Called when the block at `offset` has been replaced and nothing in the image refers to it. */
  retire(offset: number): void {
    this.#retired.push(this.#swappedOut(offset));
  }

  /**
   * Does the same as retire(), but keeps the content of the memory until it is reused or released, or others need it.
   */
  hold(offset: number): HeldBlock {
    const [oldest] = this.#held;
    if (this.#held.size >= MAX_HELD && oldest !== undefined) this.giveUp(oldest);
    const block = this.#swappedOut(offset);
    this.#held.add(block);
    return block;
  }

  /** Whether a kept block may be written now. The caller then owns it as if it had been allocated. */
  takeHeld(block: HeldBlock): boolean {
    const isFree = hasEpochPassed(this.#image.words, block.epoch) && !this.#pins.has(block.offset);
    return isFree && this.#held.delete(block);
  }

  giveUp(block: HeldBlock): void {
    // This block was replaced before the others.
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

  /** Keeps the block at `offset`, even after it is replaced, until the returned function is called, once. */
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
   * Takes over an image with blocks. The blocks at the given offsets are in use; everything else below the high-water
   * mark is free.
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
