import type { Database } from '@zonewright/database';
import type { NameserverStatus } from './nameserver-status.js';
import { listNameserverStatus } from './status-store.js';

/**
 * Reads the status of the nameservers once for all callers at a time. Calls during a read share the next one, so that each sees
 * what was there when it called.
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
