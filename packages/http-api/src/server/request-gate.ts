import { Counter, Gauge, type Registry } from 'prom-client';
import { type Logger, Overload, ServiceError, Ticker } from '@zonewright/service-kit';
import type { ApiSettings } from './api-settings.js';

interface RequestGateOptions {
  readonly load: Pick<ApiSettings['load'], 'maxRequests' | 'maxWaitingRequests'>;
  readonly registry: Registry;
  /** What the names of its metrics begin with. */
  readonly metricPrefix: string;
  readonly log: Logger;
}

/** No longer than a burst takes: who waits longer is better off asking again, or another replica. */
const MAX_WAIT_MS = 500;
/** A request is answered within 2 s, whatever PostgreSQL does; a tenth of a second is for the answer itself. */
export const ANSWER_WITHIN_MS = 1_800;
/** How exactly times are kept. Nothing looks at the clock for each request. */
const TICK_MS = 50;
const LOG_INTERVAL_MS = 1_000;

/** One request at work. */
interface Place {
  readonly giveUp: (error: ServiceError) => void;
  /** Infinity once it has been given up: it stays at work, but is not late a second time. */
  lateAt: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Overload) => void;
  readonly until: number;
}

/** What a request's work can say about itself. */
export interface Turn {
  /**
   * Waits for something that is not work (a body that arrives, an event) without a place: slow clients must not keep
   * others out. @throws Overload when there is no place afterwards.
   */
  aside<T>(wait: () => Promise<T>): Promise<T>;
  /**
   * The work is done and final; what follows only waits for an event, as long as it likes. The place is free for others, and
   * the request is not refused any more: who made a change is told so.
   */
  leave(): void;
  /**
   * Called before something is made final. @throws ServiceError (unavailable) when the client has already been told
   * that it was not done.
   */
  checkAwaited(): void;
}

interface RunOptions {
  /** When the answer is due, in milliseconds; time spent aside does not count. Default 1800. */
  readonly answerWithinMs?: number;
}

/**
 * Keeps a service usable under more load than it can carry: so many requests are worked on, few wait a moment for
 * their turn, the rest is refused at once, which costs next to nothing. Work that is late is answered for (503) but keeps
 * its place until it ends, so what hangs behind it cannot pile up.
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
      help: 'Requests refused because too many others were at work.',
      registers,
    });
    this.#late = new Counter({
      name: `${metricPrefix}_requests_late_total`,
      help: 'Requests answered with 503 because their work took too long.',
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
    gauge('requests_at_work', 'Requests that are worked on.', () => this.#atWork.size);
    gauge('requests_waiting', 'Requests that wait for a place.', () => this.#waiters.length);
  }

  /**
   * Does a request's work when there is a place for it.
   *
   * @throws Overload when there is none, ServiceError (unavailable) when the work takes too long.
   */
  async run<T>(work: (turn: Turn) => Promise<T>, options: RunOptions = {}): Promise<T> {
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
      const turn: Turn = {
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

  /** The time of the last tick, of which there are some from now on for as long as somebody is here. */
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
      // Somebody who came later may have been quicker than this turn of the event loop.
    } while (this.#isFull);
  }

  #leave(place: Place): void {
    this.#atWork.delete(place);
    this.#waiters.shift()?.enter();
  }

  /** @returns whether there is anything left to look after */
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

  /** One line for all that were refused since the last: a line for each would be load of its own. */
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
