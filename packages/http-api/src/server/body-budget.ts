import type { IncomingMessage } from 'node:http';
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

  /** Counts a body while `read` reads it. @throws Overload when all bodies together are too much. */
  async count<T>(request: IncomingMessage, read: () => Promise<T>): Promise<T> {
    let taken = 0;
    let count: ((chunk: Buffer) => void) | undefined;
    const overload = new Promise<never>((_, reject) => {
      count = (chunk) => {
        taken += chunk.length;
        this.#used += chunk.length;
        if (this.#used > this.#maxBytes) reject(new Overload());
      };
      request.on('data', count);
    });
    try {
      return await Promise.race([overload, read()]);
    } finally {
      if (count !== undefined) request.off('data', count);
      this.#used -= taken;
    }
  }
}
