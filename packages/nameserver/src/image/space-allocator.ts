/**
 * Free extents are kept in buckets by size, eight for each power of two. An extent from the smallest bucket that has
 * any is close to the best fit. This keeps the image from growing as zones change their sizes.
 */
const STEPS_BITS = 3;
const STEPS = 1 << STEPS_BITS;
const BUCKETS = 32 * STEPS;

/** Maximum number of extents that are examined in a bucket. Extents of the first bucket may be too small. */
const BEST_FIT_LOOKS = 32;

/**
 * Free units of the image, in the writer's own memory: free extents, merged with their neighbours when they are
 * released, and the high-water mark. Units above the mark have never been used.
 */
export class SpaceAllocator {
  /** Length of each free extent by its first unit, and its first unit by the unit after it. */
  readonly #lengths = new Map<number, number>();
  readonly #starts = new Map<number, number>();
  readonly #buckets: Set<number>[] = Array.from({ length: BUCKETS }, () => new Set());
  readonly #end: number;
  #highWater: number;

  constructor(firstUnit: number, endUnit: number) {
    this.#highWater = firstUnit;
    this.#end = endUnit;
  }

  /** First unit that has never been allocated. */
  get highWater(): number {
    return this.#highWater;
  }

  /** Returns the first of `units` contiguous free units, or null if there are none. */
  allocate(units: number): number | null {
    const extent = this.#findExtent(units);
    if (extent === null) return this.#extend(units);
    const length = this.#remove(extent);
    if (length > units) this.#add(extent + units, length - units);
    return extent;
  }

  release(unit: number, units: number): void {
    let start = unit;
    let length = units;
    const before = this.#starts.get(unit);
    if (before !== undefined) {
      length += this.#remove(before);
      start = before;
    }
    if (this.#lengths.has(unit + units)) length += this.#remove(unit + units);
    this.#add(start, length);
  }

  #extend(units: number): number | null {
    if (this.#highWater + units > this.#end) return null;
    const unit = this.#highWater;
    this.#highWater += units;
    return unit;
  }

  #findExtent(units: number): number | null {
    for (let bucket = bucketOf(units); bucket < BUCKETS; bucket++) {
      const extent = this.#bestOf(this.#buckets[bucket]!, units);
      if (extent !== null) return extent;
    }
    return null;
  }

  #bestOf(extents: ReadonlySet<number>, units: number): number | null {
    let best: number | null = null;
    let bestLength = Infinity;
    let looks = 0;
    for (const extent of extents) {
      const length = this.#lengths.get(extent)!;
      if (length >= units && length < bestLength) {
        best = extent;
        bestLength = length;
      }
      if (++looks === BEST_FIT_LOOKS) break;
    }
    return best;
  }

  #add(extent: number, length: number): void {
    this.#lengths.set(extent, length);
    this.#starts.set(extent + length, extent);
    this.#buckets[bucketOf(length)]!.add(extent);
  }

  #remove(extent: number): number {
    const length = this.#lengths.get(extent)!;
    this.#lengths.delete(extent);
    this.#starts.delete(extent + length);
    this.#buckets[bucketOf(length)]!.delete(extent);
    return length;
  }
}

function bucketOf(length: number): number {
  if (length < STEPS) return length;
  const exponent = 31 - Math.clz32(length);
  const step = (length >> (exponent - STEPS_BITS)) & (STEPS - 1);
  return exponent * STEPS + step;
}
