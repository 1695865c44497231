import { Overload } from '../values/errors.js';

export interface FairSlotsOptions {
  /** Slots of all owners together. */
  readonly total: number;
  /** Most slots of one owner. */
  readonly perOwner?: number;
  /** Slots that the owners divide among themselves: the more of them work or wait, the fewer each has. */
  readonly divided?: number;
  /** Most slots of the ranks 1, 2 and so on, each with those after it. Rank 0 has what is left. */
  readonly laterRanks?: readonly number[];
  /** Owners wait for a slot in queues of their own. Undefined if nobody waits. */
  readonly queue?: QueueOptions;
  readonly onRefused?: () => void;
}

interface QueueOptions {
  readonly total?: number;
  readonly perOwner: number;
  /** The same limits as `laterRanks` of the slots. */
  readonly laterRanks?: readonly number[];
  readonly waitMs: number;
}

/** One request for a slot. */
export interface SlotRequest {
  /** 0 for those who are known, larger numbers for those who are known less. Default 0. */
  readonly rank?: number;
  /** Slots that it takes, such as bytes. Default 1. */
  readonly amount?: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

interface Owner {
  readonly name: string;
  readonly rank: number;
  taken: number;
  readonly waiters: Waiter[];
}

/**
 * Slots that owners (tenants, networks, sessions) share, so that none of them can take what the others need.
 *
 * An owner gets one more slot while it has fewer than are free (dynamic thresholds, Choudhury and Hahne 1998). Alone it gets half of
 * all. Among n owners that want more each gets one part in n + 1, and one part is left for the next owner.
 *
 * Owners of rank 0 come before those of rank 1, and so on. A rank with those after it holds no more than its limit, so that a flood of
 * unknown senders leaves slots for known ones. Owners of one rank take turns, however many of their requests wait.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  /** Owners with slots or waiters. The next turn is that of the first. */
  readonly #owners = new Map<string, Owner>();
  /** Slots by rank. */
  readonly #taken: number[];
  readonly #waiting: number[];

  constructor(options: FairSlotsOptions) {
    this.#options = options;
    const { laterRanks = [] } = options;
    this.#taken = [0, ...laterRanks.map(() => 0)];
    this.#waiting = [...this.#taken];
  }

  get taken(): number {
    return sumFrom(this.#taken, 0);
  }

  get waiting(): number {
    return sumFrom(this.#waiting, 0);
  }

  takenBy(name: string, { rank = 0 }: SlotRequest = {}): number {
    return this.#owners.get(keyOf(name, rank))?.taken ?? 0;
  }

  /** Whether the owner may have one more now. */
  hasRoom(name: string, { rank = 0 }: SlotRequest = {}): boolean {
    const owner = this.#ownerOf(name, rank);
    const hasRoom = this.#hasRoom(owner);
    this.#forgetIdle(owner);
    return hasRoom;
  }

  /** Takes a slot, which must be left, if there is one now. */
  tryEnter(name: string, { rank = 0, amount = 1 }: SlotRequest = {}): boolean {
    const owner = this.#ownerOf(name, rank);
    const hasRoom = this.#hasRoom(owner);
    if (hasRoom) this.#take(owner, amount);
    else this.#forgetIdle(owner);
    return hasRoom;
  }

  /** Takes what is used already, whether there is room for it or not. */
  count(name: string, { rank = 0, amount = 1 }: SlotRequest = {}): void {
    this.#take(this.#ownerOf(name, rank), amount);
  }

  /** Takes a slot for a time: so many are taken in that time. Returns false if there is none. */
  tryEnterFor(ms: number, name: string, request: SlotRequest = {}): boolean {
    const isIn = this.tryEnter(name, request);
    if (isIn) {
      setTimeout(() => {
        this.leave(name, request);
      }, ms).unref();
    }
    return isIn;
  }

  /** Waits for a slot, which must be left. @throws Overload if there is none in time, or too many wait */
  async enter(name: string, { rank = 0 }: SlotRequest = {}): Promise<void> {
    if (this.tryEnter(name, { rank })) return;
    const owner = this.#ownerOf(name, rank);
    if (!this.#mayWait(owner)) throw this.#refusal(owner);
    await new Promise<void>((enter, refuse) => {
      const timer = setTimeout(() => {
        owner.waiters.splice(owner.waiters.indexOf(waiter), 1);
        add(this.#waiting, rank, -1);
        refuse(this.#refusal(owner));
      }, this.#options.queue?.waitMs);
      timer.unref();
      const waiter = { enter, timer };
      owner.waiters.push(waiter);
      add(this.#waiting, rank, 1);
    });
  }

  /**
   * Does work in a slot, which is left when the work ends. @param wait waits with the function given to it, if there is no slot now.
   *
   * @throws Overload if there is none in time
   */
  async run<T>(
    name: string,
    work: () => Promise<T>,
    {
      wait = (enter) => enter(),
      ...request
    }: SlotRequest & { readonly wait?: (enter: () => Promise<void>) => Promise<void> } = {},
  ): Promise<T> {
    let isIn = this.tryEnter(name, request);
    const enter = async () => {
      await this.enter(name, request);
      isIn = true;
    };
    try {
      // Waiting may fail after the slot was taken.
      if (!isIn) await wait(enter);
      return await work();
    } finally {
      if (isIn) this.leave(name, request);
    }
  }

  leave(name: string, { rank = 0, amount = 1 }: SlotRequest = {}): void {
    const owner = this.#ownerOf(name, rank);
    const left = Math.min(amount, owner.taken);
    owner.taken -= left;
    add(this.#taken, rank, -left);
    this.#putLast(owner);
    this.#forgetIdle(owner);
    if (this.waiting > 0) this.#admitNext();
  }

  #ownerOf(name: string, rank: number): Owner {
    const key = keyOf(name, rank);
    let owner = this.#owners.get(key);
    if (owner === undefined) {
      owner = { name, rank, taken: 0, waiters: [] };
      this.#owners.set(key, owner);
    }
    return owner;
  }

  #hasRoom({ taken, rank }: Owner): boolean {
    const { total, perOwner = Infinity, divided = Infinity, laterRanks = [] } = this.#options;
    const own = Math.min(perOwner, Math.ceil(divided / this.#owners.size), total - this.taken);
    return taken < own && hasRoomForRank(this.#taken, laterRanks, rank);
  }

  #mayWait({ waiters, rank }: Owner): boolean {
    const { queue } = this.#options;
    if (queue === undefined) return false;
    const { total = Infinity, perOwner, laterRanks = [] } = queue;
    const own = Math.min(perOwner, total - this.waiting);
    return waiters.length < own && hasRoomForRank(this.#waiting, laterRanks, rank);
  }

  #take(owner: Owner, amount: number): void {
    owner.taken += amount;
    add(this.#taken, owner.rank, amount);
    this.#putLast(owner);
  }

  /** Puts an owner behind all others for the next slot. */
  #putLast(owner: Owner): void {
    const key = keyOf(owner.name, owner.rank);
    this.#owners.delete(key);
    this.#owners.set(key, owner);
  }

  #admitNext(): void {
    for (let rank = 0; rank < this.#taken.length; rank += 1) this.#admitRank(rank);
  }

  /** An owner that is admitted goes behind the others, where the loop meets it again. */
  #admitRank(rank: number): void {
    for (const owner of this.#owners.values()) {
      if (this.#waiting[rank] === 0) return;
      if (owner.rank !== rank || owner.waiters.length === 0 || !this.#hasRoom(owner)) continue;
      const waiter = owner.waiters.shift();
      clearTimeout(waiter?.timer);
      add(this.#waiting, rank, -1);
      this.#take(owner, 1);
      waiter?.enter();
    }
  }

  #refusal(owner: Owner): Overload {
    this.#forgetIdle(owner);
    this.#options.onRefused?.();
    return new Overload();
  }

  #forgetIdle({ name, rank, taken, waiters }: Owner): void {
    if (taken === 0 && waiters.length === 0) this.#owners.delete(keyOf(name, rank));
  }
}

function keyOf(name: string, rank: number): string {
  return `${rank} ${name}`;
}

/** Whether each limit that counts this rank allows one more. */
function hasRoomForRank(counts: readonly number[], limits: readonly number[], rank: number) {
  return limits.slice(0, rank).every((most, at) => sumFrom(counts, at + 1) < most);
}

function sumFrom(counts: readonly number[], from: number): number {
  let sum = 0;
  for (let at = from; at < counts.length; at += 1) sum += counts[at] ?? 0;
  return sum;
}

function add(counts: number[], rank: number, amount: number): void {
  counts[rank] = (counts[rank] ?? 0) + amount;
}
