/**
 * Time of one turn of the event loop, in milliseconds. Between turns, TCP connections and responses of the DNS API are
 * served.
 */
const TURN_MS = 2;

/**
 * Messages that workers have relayed, and that wait for the main thread. The channel between the threads delivers
 * hundreds of them in one turn of the event loop, so each turn takes only some. Networks take turns.
 */
export class RelayIntake<T> {
  readonly #take: (message: T) => void;
  /** Waiting messages of each network. The first network is next. */
  readonly #networks = new Map<string, T[]>();

  constructor(take: (message: T) => void) {
    this.#take = take;
  }

  add(network: string, message: T): void {
    if (this.#networks.size === 0) setImmediate(this.#run);
    const waiting = this.#networks.get(network);
    if (waiting === undefined) this.#networks.set(network, [message]);
    else waiting.push(message);
  }

  /** A network with further messages moves behind the others, where the loop reaches it again. */
  readonly #run = (): void => {
    const end = performance.now() + TURN_MS;
    for (const [network, [next, ...others]] of this.#networks) {
      this.#networks.delete(network);
      if (others.length > 0) this.#networks.set(network, others);
      if (next !== undefined) this.#take(next);
      if (performance.now() >= end) break;
    }
    if (this.#networks.size > 0) setImmediate(this.#run);
  };
}
