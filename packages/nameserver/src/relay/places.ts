/** Updates that are relayed at a time; the DNS API has others to serve. */
const AT_ONCE = 16;
/** That wait or are relayed, in all and of one network. */
const MAX_TAKEN = 256;
const MAX_TAKEN_OF_NETWORK = 64;

/** A place among the updates that are on their way. */
export interface Place {
  /** Resolves when it may be relayed. */
  readonly turn: Promise<void>;
  /** Once, whether the turn has come or not. */
  readonly giveBack: () => void;
}

/** Places in the order in which they are taken, of which no network has more than a share. */
export class Places {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #all = 0;
  #relayed = 0;

  /** Undefined: there is none. */
  take(network: string): Place | undefined {
    const own = this.#taken.get(network) ?? 0;
    if (this.#all >= MAX_TAKEN || own >= MAX_TAKEN_OF_NETWORK) return undefined;
    this.#taken.set(network, own + 1);
    this.#all += 1;
    let enter: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      enter = resolve;
    });
    this.#waiting.add(enter);
    this.#letIn();
    const giveBack = () => {
      this.#leave(network);
      // Who gave up has never been in.
      if (!this.#waiting.delete(enter)) this.#relayed -= 1;
      this.#letIn();
    };
    return { turn, giveBack };
  }

  #letIn(): void {
    for (const enter of this.#waiting) {
      if (this.#relayed >= AT_ONCE) return;
      this.#waiting.delete(enter);
      this.#relayed += 1;
      enter();
    }
  }

  #leave(network: string): void {
    const left = (this.#taken.get(network) ?? 1) - 1;
    if (left === 0) this.#taken.delete(network);
    else this.#taken.set(network, left);
    this.#all -= 1;
  }
}
