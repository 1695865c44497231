/** The time, injected wherever it decides something, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** How often something may be done again and again, so that it takes no more than its part of a busy machine. */
export interface Pace {
  /** How many times as long as it took. */
  readonly share: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Milliseconds to keep after what took `tookMs`: longer where everything takes its time, within the bounds. */
export function intervalAfter(tookMs: number, { share, leastMs, mostMs }: Pace): number {
  return Math.min(Math.max(tookMs * share, leastMs), mostMs);
}

/** Looks after what waits, in turns, for as long as there is something: what has nothing to do wakes no processor. */
export class Ticker {
  readonly #intervalMs: number;
  /** @returns whether there is more to look after */
  readonly #look: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number, look: () => boolean) {
    this.#intervalMs = intervalMs;
    this.#look = look;
  }

  /** There is something to look after. @returns whether there was nothing before */
  begin(): boolean {
    if (this.#timer !== undefined) return false;
    this.#timer = setInterval(() => {
      if (this.#look()) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    }, this.#intervalMs);
    this.#timer.unref();
    return true;
  }
}
