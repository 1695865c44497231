import { Overload } from '../values/errors.js';

export interface FairSlotsOptions {
  /** Slots of all owners. */
  readonly total: number;
  /** Maximum number of slots of one owner. */
  readonly perOwner?: number;
  /** Slots that owners share equally: the more owners work or wait, the fewer slots each gets. */
  readonly divided?: number;
  /** Maximum number of slots for the ranks 1, 2 and so on, each including the ranks after it. Rank 0 gets the rest. */
  readonly laterRanks?: readonly number[];
  /** Queue of each owner. Undefined if requests do not wait. */
  readonly queue?: QueueOptions;
  readonly onRefused?: () => void;
}

interface QueueOptions {
  readonly total?: number;
  readonly perOwner: number;
  /** Limits of the waiting requests, like `laterRanks` of the slots. */
  readonly laterRanks?: readonly number[];
  readonly waitMs: number;
}

/** One request for a slot. */
export interface SlotRequest {
  /** Priority: 0 for known senders, higher numbers for less known ones. The default is 0. */
  readonly rank?: number;
  /** Number of slots, for example bytes. The default is 1. */
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
 * Slots that owners (tenants, networks, sessions) share, so that one owner cannot take what the others need.
 *
 * An owner gets another slot while it has fewer than are free (dynamic thresholds, Choudhury and Hahne 1998). A single
 * owner gets half of all slots. Each of n busy owners gets one part in n + 1, and one part is left for the next owner.
 *
 * Owners of rank 0 come before those of rank 1, and so on. Each rank, including those after it, has a limit, so that a
 * flood of unknown senders leaves slots for known ones. Owners of one rank take turns, however many of their requests
 * wait.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  /** Owners with slots or waiting requests. The first one gets the next slot. */
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

  /** Whether the owner may have another slot now. */
  hasRoom(name: string, { rank = 0 }: SlotRequest = {}): boolean {
    const owner = this.#ownerOf(name, rank);
    const hasRoom = this.#hasRoom(owner);
    this.#forgetIdle(owner);
    return hasRoom;
  }

  /** Takes a slot if one is free. The caller must release it. */
  tryEnter(name: string, { rank = 0, amount = 1 }: SlotRequest = {}): boolean {
    const owner = this.#ownerOf(name, rank);
    const hasRoom = this.#hasRoom(owner);
    if (hasRoom) this.#take(owner, amount);
    else this.#forgetIdle(owner);
    return hasRoom;
  }

  /** Counts slots that are already in use, even above the limit. */
  count(name: string, { rank = 0, amount = 1 }: SlotRequest = {}): void {
    this.#take(this.#ownerOf(name, rank), amount);
  }

  /** Takes a slot for a fixed time. Returns false if none is free. */
  tryEnterFor(ms: number, name: string, request: SlotRequest = {}): boolean {
    const isIn = this.tryEnter(name, request);
    if (isIn) {
      setTimeout(() => {
        this.leave(name, request);
      }, ms).unref();
    }
    return isIn;
  }

  /**
   * Waits for a slot, which the caller must release. @throws Overload if none is free in time, or if too many requests
   * wait
   */
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
   * Does work in a slot, which is released when the work ends. @param wait waits with the given function if no slot is
   * free now
   *
   * @throws Overload if none is free in time
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
      // The wait may fail after the slot was taken.
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

  /** Admits owners in turn. An admitted owner moves behind the others, where the loop reaches it again. */
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

/** Whether each limit of this rank allows one more slot. */
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
