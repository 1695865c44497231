import { Counter, Gauge, type Registry } from 'prom-client';
import { type Logger, Overload, ServiceError, Ticker } from '@zonewright/service-kit';
import type { ApiSettings } from './api-settings.js';

interface RequestGateOptions {
  readonly load: Pick<ApiSettings['load'], 'maxRequests' | 'maxWaitingRequests'>;
  readonly registry: Registry;
  /** Prefix of metric names. */
  readonly metricPrefix: string;
  readonly log: Logger;
}

/** Maximum wait for a slot: about the length of a burst. After that, the client should retry or use another replica. */
const MAX_WAIT_MS = 500;
/**
 * Time limit of a request, so that it is answered within 2 s whatever PostgreSQL does. The rest is for the response
 * itself.
 */
export const ANSWER_WITHIN_MS = 1_800;
/** Precision of the time limits, so that requests need not read the clock. */
const TICK_MS = 50;
const LOG_INTERVAL_MS = 1_000;

/** Request that occupies a slot. */
interface Place {
  readonly giveUp: (error: ServiceError) => void;
  /** Set to Infinity after a timeout: the request keeps its slot, but is not late a second time. */
  lateAt: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Overload) => void;
  readonly until: number;
}

/** Functions by which the work of a request controls its slot. */
export interface RequestSlot {
  /**
   * Waits without a slot for something other than work, such as the rest of a body or an event. Slow clients therefore
   * do not block others. @throws Overload if there is no slot afterwards
   */
  aside<T>(wait: () => Promise<T>): Promise<T>;
  /**
   * Declares the work final. Only an event may follow, without a time limit. The slot becomes free, and the request
   * cannot time out, so that the author of a change learns that it was made.
   */
  leave(): void;
  /**
   * Must be called before the work becomes final. @throws ServiceError (unavailable) if the client has already been
   * told that nothing was done
   */
  checkAwaited(): void;
}

interface RunOptions {
  /** Time limit in milliseconds, not counting `aside`. The default is 1800. */
  readonly answerWithinMs?: number;
}

/**
 * Keeps a service usable under overload. A limited number of requests work at a time, a few wait for a moment, and the
 * rest are rejected at once, which costs almost nothing. Late work is answered with 503 but keeps its slot until it
 * ends, so that requests do not pile up behind it.
 */
export class RequestGate {
  readonly #options: RequestGateOptions;
  readonly #atWork = new Set<Place>();
  readonly #waiters: Waiter[] = [];
  readonly #refused: Counter;
  readonly #late: Counter;
  readonly #ticker = new Ticker(TICK_MS, () => this.#tick());
  #lastTick = performance.now();
  #unreported = 0;
  #reportedAt = -LOG_INTERVAL_MS;

  constructor(options: RequestGateOptions) {
    const { registry, metricPrefix } = options;
    const registers = [registry];
    this.#options = options;
    this.#refused = new Counter({
      name: `${metricPrefix}_requests_refused_total`,
      help: 'Requests refused because too many were in progress.',
      registers,
    });
    this.#late = new Counter({
      name: `${metricPrefix}_requests_late_total`,
      help: 'Requests answered with 503 because they took too long.',
      registers,
    });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name: `${metricPrefix}_${name}`,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge('requests_at_work', 'Requests in progress.', () => this.#atWork.size);
    gauge('requests_waiting', 'Requests that wait for a slot.', () => this.#waiters.length);
  }

  /**
   * Does the work of a request in the next free slot.
   *
   * @throws Overload if there is none, ServiceError (unavailable) if the work takes too long
   */
  async run<T>(work: (turn: RequestSlot) => Promise<T>, options: RunOptions = {}): Promise<T> {
    let lateAt = this.#startedClock() + (options.answerWithinMs ?? ANSWER_WITHIN_MS);
    if (this.#isFull) await this.#waitForPlace();
    return await new Promise<T>((resolve, reject) => {
      const takePlace = (): Place => {
        const place = { giveUp: reject, lateAt };
        this.#atWork.add(place);
        return place;
      };
      let place: Place | undefined = takePlace();
      const leave = () => {
        if (place !== undefined) this.#leave(place);
        place = undefined;
      };
      const turn: RequestSlot = {
        aside: async (wait) => {
          leave();
          const since = this.#startedClock();
          const result = await wait();
          lateAt += this.#startedClock() - since;
          if (this.#isFull) await this.#waitForPlace();
          place = takePlace();
          return result;
        },
        leave,
        checkAwaited: () => {
          if (place?.lateAt === Infinity) throw lateError();
        },
      };
      work(turn).finally(leave).then(resolve, reject);
    });
  }

  /** Returns the time of the last tick. Ticks run as long as there are requests. */
  #startedClock(): number {
    if (this.#ticker.begin()) this.#lastTick = performance.now();
    return this.#lastTick;
  }

  get #isFull(): boolean {
    return this.#atWork.size >= this.#options.load.maxRequests;
  }

  async #waitForPlace(): Promise<void> {
    if (this.#waiters.length >= this.#options.load.maxWaitingRequests) throw this.#refusal();
    do {
      await new Promise<void>((enter, refuse) => {
        this.#waiters.push({ enter, refuse, until: this.#startedClock() + MAX_WAIT_MS });
      });
      // A later request may have finished in this turn of the event loop.
    } while (this.#isFull);
  }

  #leave(place: Place): void {
    this.#atWork.delete(place);
    this.#waiters.shift()?.enter();
  }

  /** @returns whether there are requests left */
  #tick(): boolean {
    const now = (this.#lastTick = performance.now());
    for (const place of this.#atWork) {
      if (place.lateAt <= now) this.#giveUp(place);
    }
    while ((this.#waiters[0]?.until ?? Infinity) <= now) {
      this.#waiters.shift()?.refuse(this.#refusal());
    }
    this.#report(now);
    return this.#atWork.size + this.#waiters.length + this.#unreported > 0;
  }

  #giveUp(place: Place): void {
    place.lateAt = Infinity;
    this.#late.inc();
    place.giveUp(lateError());
  }

  #refusal(): Overload {
    this.#refused.inc();
    this.#unreported += 1;
    return new Overload();
  }

  /** Logs one line for all refusals since the last report: a line for each would add load. */
  #report(now: number): void {
    if (this.#unreported === 0 || now - this.#reportedAt < LOG_INTERVAL_MS) return;
    const { log } = this.#options;
    log.warn(
      { refused: this.#unreported, atWork: this.#atWork.size },
      'overloaded: requests refused',
    );
    this.#unreported = 0;
    this.#reportedAt = now;
  }
}

function lateError(): ServiceError {
  return new ServiceError('unavailable', 'The service could not answer in time; try again.');
}
