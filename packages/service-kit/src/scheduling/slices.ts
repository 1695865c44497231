import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time for which long work may occupy the event loop in one turn, in milliseconds. */
const SLICE_MS = 2;

/** Duration above which a turn is assumed to have served other requests. */
const IDLE_TURN_MS = 0.5;
/** Maximum number of such turns before long work continues. */
const TURNS_OF_OTHERS = 3;

/** Start of the first long work in this turn of the event loop. */
let turnBeganAt: number | undefined;
/** Last reserved turn of the event loop. One piece of long work continues in each turn; the others wait behind it. */
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

/** Long work in slices, between which other requests are served. */
export class Slices {
  /** Whether long work has used up its time in this turn, for any request. */
  get isOver(): boolean {
    return performance.now() >= beginTurn() + SLICE_MS;
  }

  /** Waits for the turn of the next slice. Other requests go first for a few turns. */
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

/** Processes each item, in slices. `giveWay` is awaited between slices. */
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

/** Returns the result of `map` for each item, in slices. */
export async function mapInSlices<T, U>(items: Iterable<T>, map: (item: T) => U): Promise<U[]> {
  const mapped: U[] = [];
  await forEachInSlices(items, (item) => mapped.push(map(item)));
  return mapped;
}
