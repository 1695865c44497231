import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long all works together hold the event loop at a stretch. */
const SLICE_MS = 2;

/** A turn that took longer was one of other requests. */
const IDLE_TURN_MS = 0.5;
/** So many such turns go before a work goes on. */
const TURNS_OF_OTHERS = 3;

/** When the first work of this turn of the event loop began. */
let turnBeganAt: number | undefined;
/** The turn of the event loop that was promised last: one work goes on in each, the others wait behind it. */
let lastTurn: Promise<void> = Promise.resolve();

function beginTurn(): number {
  if (turnBeganAt === undefined) {
    turnBeganAt = performance.now();
    setImmediate(() => {
      turnBeganAt = undefined;
    });
  }
  return turnBeganAt;
}

/** Long work in slices, between which other requests get their turn. */
export class Slices {
  /** Whether this turn has had its share of long work, of whichever request. */
  get isOver(): boolean {
    return performance.now() >= beginTurn() + SLICE_MS;
  }

  /** Waits for the turn in which the next slice begins; while others have work they come first for a few turns. */
  async next(): Promise<void> {
    lastTurn = lastTurn.then(leaveToOthers);
    await lastTurn;
  }
}

async function leaveToOthers(): Promise<void> {
  for (let turn = 0; turn < TURNS_OF_OTHERS; turn += 1) {
    const beganAt = performance.now();
    await nextTurn();
    if (performance.now() - beganAt < IDLE_TURN_MS) return;
  }
}

/** Does something with each item, in slices; `giveWay`: what is waited for between them. */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  giveWay?: () => Promise<void>,
): Promise<void> {
  const slices = new Slices();
  for (const item of items) {
    if (slices.isOver) {
      await slices.next();
      await giveWay?.();
    }
    work(item);
  }
}

/** What `map` makes of each item, in slices. */
export async function mapInSlices<T, U>(items: Iterable<T>, map: (item: T) => U): Promise<U[]> {
  const mapped: U[] = [];
  await forEachInSlices(items, (item) => mapped.push(map(item)));
  return mapped;
}
