import type { Database } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import { readClockDifference } from '@zonewright/zones';

const MAX_DIFFERENCE_SECONDS = 60;
const REMEMBERED_MS = 10_000;

/**
 * Compares the clock that sets the validity of signatures with the database's clock. Signatures with a wrong time are
 * invalid everywhere (RFC 4035 s5.3.1).
 */
export class ClockCheck {
  readonly #db: Database;
  readonly #clock: Clock;
  #difference = 0;
  #checkedAt = -Infinity;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** @throws ServiceError `unavailable` */
  async require(): Promise<void> {
    const elapsed = performance.now() - this.#checkedAt;
    if (elapsed > REMEMBERED_MS) {
      this.#difference = await readClockDifference(this.#db, new Date(this.#clock.now()));
      this.#checkedAt = performance.now();
    }
    if (Math.abs(this.#difference) <= MAX_DIFFERENCE_SECONDS) return;
    this.#checkedAt = -Infinity;
    throw new ServiceError(
      'unavailable',
      `The clocks of signer and PostgreSQL differ by ${Math.round(this.#difference)} s; nothing is signed until they agree.`,
    );
  }
}
