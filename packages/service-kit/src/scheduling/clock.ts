/** Source of the current time. Code that depends on the time gets it as a parameter, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Interval of repeated work, relative to its duration, so that it takes a limited share of a busy machine. */
export interface Pace {
  /** Multiple of the duration. */
  readonly share: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Returns the milliseconds to wait after work that took `tookMs`, within the limits. */
export function intervalAfter(tookMs: number, { share, leastMs, mostMs }: Pace): number {
  return Math.min(Math.max(tookMs * share, leastMs), mostMs);
}

/** Runs a check at an interval while there is work. Without work the processor stays idle. */
export class Ticker {
  readonly #intervalMs: number;
  /** @returns whether there is more work */
  readonly #look: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number, look: () => boolean) {
    this.#intervalMs = intervalMs;
    this.#look = look;
  }

  /** Starts the checks. @returns whether they were stopped */
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
