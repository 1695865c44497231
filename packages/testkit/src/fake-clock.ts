import type { Clock } from '@zonewright/service-kit';

/** A clock that only a test moves. */
export class FakeClock implements Clock {
  #milliseconds: number;

  constructor(start: Date | number = Date.now()) {
    this.#milliseconds = Number(start);
  }

  now(): number {
    return this.#milliseconds;
  }

  /** Moves the clock, backwards too. */
  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
