import { availableParallelism } from 'node:os';
import type { RequestSlot } from '@zonewright/http-api';
import { Counter, Gauge, type Registry } from 'prom-client';
import { FairQueue, SourceStanding } from './fair-queue.js';

/**
 * Number of concurrent hashes. Each occupies a core for about 20 ms, and one of libuv's four threads is left for other
 * work.
 */
const HASHES = Math.min(3, availableParallelism());
/**
 * Number of logins that are looked up while others are hashed; more would only wait a second time. By default this is a
 * third of all concurrent requests. The rest is for requests with a token.
 */
const LOGINS = HASHES + 2;

/** Sorts logins, so that one with correct credentials succeeds whatever others send. */
export class LoginOrder {
  readonly #standing = new SourceStanding();
  readonly #logins: FairQueue;
  readonly #hashes: FairQueue;

  constructor(registry: Registry) {
    const registers = [registry];
    const refused = new Counter({
      name: 'zonewright_identity_logins_refused_total',
      help: 'Logins refused because too many were in progress.',
      registers,
    });
    const common = {
      standing: this.#standing,
      onRefused: () => {
        refused.inc();
      },
    };
    this.#logins = new FairQueue({ ...common, places: LOGINS });
    this.#hashes = new FairQueue({ ...common, places: HASHES });
    const waiting = () => this.#logins.waiting + this.#hashes.waiting;
    new Gauge({
      name: 'zonewright_identity_logins_waiting',
      help: 'Logins that wait for a slot.',
      registers,
      collect() {
        this.set(waiting());
      },
    });
  }

  /**
   * Performs a login in its source's slot, and records the result. `isFailure` decides which errors count against the
   * source.
   *
   * @throws Overload if no slot is free in time
   */
  async run<T>(
    { source, turn }: { readonly source: string; readonly turn: RequestSlot },
    work: () => Promise<T> | T,
    isFailure: (error: unknown) => boolean,
  ): Promise<T> {
    let leave = this.#logins.tryEnter(source);
    try {
      if (leave === undefined) {
        await turn.aside(async () => {
          leave = await this.#logins.enter(source);
        });
      }
      const result = await work();
      this.#standing.addSuccess(source);
      return result;
    } catch (error) {
      if (isFailure(error)) this.#standing.addFailure(source);
      throw error;
    } finally {
      leave?.();
    }
  }

  /** Hashes a password in its source's slot. @throws Overload if no slot is free in time */
  async hash<T>(source: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.#hashes.enter(source);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
