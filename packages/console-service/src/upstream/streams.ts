import type { ServerResponse } from 'node:http';
import { Overload } from '@zonewright/service-kit';

/** Event streams may last for hours, so they have places of their own. */
export class Streams {
  readonly #most: number;
  #open = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get open(): number {
    return this.#open;
  }

  /** Takes a place until the answer ends. @throws Overload when there is none */
  take(response: ServerResponse): void {
    if (this.#open >= this.#most) throw new Overload();
    this.#open += 1;
    response.once('close', () => (this.#open -= 1));
  }
}
