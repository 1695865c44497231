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
