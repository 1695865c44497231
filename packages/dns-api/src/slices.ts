import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long one work holds the event loop at a stretch. */
const SLICE_MS = 10;

/** The turn of the event loop that was promised last: of many long works one goes on in each, or their slices would add up. */
let lastTurn: Promise<void> = Promise.resolve();

/** Long work in slices, between which other requests get their turn. */
export class Slices {
  #endsAt = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Waits for the turn in which the next slice begins. */
  async next(): Promise<void> {
    lastTurn = lastTurn.then(() => nextTurn());
    await lastTurn;
    this.#endsAt = performance.now() + SLICE_MS;
  }
}

/** Does something with each item, in slices. */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  work: (item: T) => void,
): Promise<void> {
  const slices = new Slices();
  for (const item of items) {
    if (slices.isOver) await slices.next();
    work(item);
  }
}

/** What `map` makes of each item, in slices. */
export async function mapInSlices<T, U>(items: Iterable<T>, map: (item: T) => U): Promise<U[]> {
  const mapped: U[] = [];
  await forEachInSlices(items, (item) => mapped.push(map(item)));
  return mapped;
}
