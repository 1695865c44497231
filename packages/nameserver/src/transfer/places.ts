/** Transfers that wait for a place; more are refused. */
const MAX_WAITING = 200;

/** How many transfers run at once, in all and for one peer; a few more wait for their turn. */
export class TransferPlaces {
  readonly #most: number;
  readonly #mostOfPeer: number;
  readonly #ofPeer = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number, mostOfPeer: number) {
    this.#most = most;
    this.#mostOfPeer = mostOfPeer;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Resolves with what gives the place back; with undefined if too many wait already. */
  async take(peerId: string): Promise<(() => void) | undefined> {
    while (this.#taken >= this.#most || this.#placesOf(peerId) >= this.#mostOfPeer) {
      if (this.#waiting.length >= MAX_WAITING) return undefined;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#taken++;
    this.#ofPeer.set(peerId, this.#placesOf(peerId) + 1);
    return () => {
      this.#giveBack(peerId);
    };
  }

  #placesOf(peerId: string): number {
    return this.#ofPeer.get(peerId) ?? 0;
  }

  /** All who wait look again: who comes first may be one of a peer that has all of its places. */
  #giveBack(peerId: string): void {
    this.#taken--;
    const left = this.#placesOf(peerId) - 1;
    if (left > 0) this.#ofPeer.set(peerId, left);
    else this.#ofPeer.delete(peerId);
    for (const lookAgain of this.#waiting.splice(0)) lookAgain();
  }
}
