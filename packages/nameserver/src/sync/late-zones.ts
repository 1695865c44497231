import type { FeedPosition, FeedZone } from '@zonewright/database';

/** A zone that is read beside the others. */
export interface LateZone {
  /** The latest version that a reading has shown. */
  readonly zone: FeedZone;
  /** Position from which on the feed shows it. */
  readonly since: FeedPosition;
}

/** Large zones that are read after all others, by name. As long as a zone is here, nobody else puts or patches it. */
export class LateZones {
  readonly #zones = new Map<string, LateZone>();
  /** Called when there is something to read. */
  onAdded: () => void = () => undefined;

  add(zone: FeedZone, since: FeedPosition): void {
    this.#zones.set(zone.name, { zone, since: this.#zones.get(zone.name)?.since ?? since });
    this.onAdded();
  }

  has(name: string): boolean {
    return this.#zones.has(name);
  }

  /** The zone is gone, or was read otherwise. */
  drop(name: string): void {
    this.#zones.delete(name);
  }

  clear(): void {
    this.#zones.clear();
  }

  /** Whether this very zone is still to be read; false once it is dropped, or made again under another id. */
  isWanted({ zone }: LateZone): boolean {
    return this.#zones.get(zone.name)?.zone.domainId === zone.domainId;
  }

  /** A version was handled; a later one stays to be read. */
  settle(name: string, serial: number): void {
    const late = this.#zones.get(name);
    if (late !== undefined && late.zone.serial <= serial) this.#zones.delete(name);
  }

  /** The smallest, so that one import does not hold up others. */
  next(): LateZone | undefined {
    let smallest: LateZone | undefined;
    for (const late of this.#zones.values()) {
      if (smallest === undefined || late.zone.recordCount < smallest.zone.recordCount) {
        smallest = late;
      }
    }
    return smallest;
  }

  names(): Iterable<string> {
    return this.#zones.keys();
  }

  get size(): number {
    return this.#zones.size;
  }
}
