import type { FeedPosition, FeedZone } from '@zonewright/database';

/** Zone that is read separately from the others. */
export interface LateZone {
  /** Latest version in a reading. */
  readonly zone: FeedZone;
  /** Position from which the feed contains it. */
  readonly since: FeedPosition;
}

/**
 * Large zones that are read after all others, by name. While a zone is in this list, nothing else puts or patches it.
 */
export class LateZones {
  readonly #zones = new Map<string, LateZone>();
  /** Called when a zone is added. */
  onAdded: () => void = () => undefined;

  add(zone: FeedZone, since: FeedPosition): void {
    this.#zones.set(zone.name, { zone, since: this.#zones.get(zone.name)?.since ?? since });
    this.onAdded();
  }

  has(name: string): boolean {
    return this.#zones.has(name);
  }

  /** Drops a zone that was deleted or has been read in another way. */
  drop(name: string): void {
    this.#zones.delete(name);
  }

  clear(): void {
    this.#zones.clear();
  }

  /** Whether this zone must still be read. False if it was dropped, or created again with another id. */
  isWanted({ zone }: LateZone): boolean {
    return this.#zones.get(zone.name)?.zone.domainId === zone.domainId;
  }

  /** Called when a version was handled. A later one must still be read. */
  settle(name: string, serial: number): void {
    const late = this.#zones.get(name);
    if (late !== undefined && late.zone.serial <= serial) this.#zones.delete(name);
  }

  /** Returns the smallest zone, so that one import does not delay others. */
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
