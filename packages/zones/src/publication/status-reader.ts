import type { Database } from '@zonewright/database';
import type { NameserverStatus } from './nameserver-status.js';
import { listNameserverStatus } from './status-store.js';

/**
 * Reads what the nameservers say, once for all who want to know at a time: who comes while a reading is under way
 * shares the next one, so that each sees what was there when it asked.
 */
export class StatusReader {
  readonly #db: Database;
  #current: Promise<NameserverStatus[]> | undefined;
  #next: Promise<NameserverStatus[]> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  read(): Promise<readonly NameserverStatus[]> {
    if (this.#current === undefined) return this.#begin();
    this.#next ??= this.#current.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<NameserverStatus[]> {
    this.#next = undefined;
    const reading = listNameserverStatus(this.#db).finally(() => {
      if (this.#current === reading) this.#current = undefined;
    });
    this.#current = reading;
    return reading;
  }
}
