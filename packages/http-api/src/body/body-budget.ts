import { Overload } from '@zonewright/service-kit';

/**
 * Bounds the memory that request bodies on their way in take together: each may be as large as its operation
 * allows, and thousands of clients may send one slowly.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts a body while `read` reads it. `take` @throws Overload when all bodies together are too much. */
  async count<T>(read: (take: (octets: number) => void) => Promise<T>): Promise<T> {
    let taken = 0;
    try {
      return await read((octets) => {
        taken += octets;
        this.#used += octets;
        if (this.#used > this.#maxBytes) throw new Overload();
      });
    } finally {
      this.#used -= taken;
    }
  }
}
