import { soaSerialOf } from '../compile/block-records.js';
import type { Interruptible } from '../image/steps.js';
import { type Difference, findDifference } from '../compile/difference.js';

/**
 * Maximum size of the changes of one zone. Half of the zone's size is another limit, since a full transfer is better
 * then.
 */
const MAX_ZONE_OCTETS = 1_048_576;
const MAX_OCTETS = 64 * 1_048_576;
/** Minimum size that is kept for a zone, since small zones change repeatedly. */
const LEAST_ZONE_OCTETS = 16_384;
/** Maximum size of a zone that is compared name by name after it was read as a whole. */
const MAX_COMPARED_OCTETS = 64 * 1_048_576;

interface FollowedZone {
  readonly steps: Difference[];
  octets: number;
}

/**
 * Recent changes of zones that peers transfer, for IXFR. Each nameserver keeps its own and loses them when it stops;
 * then a client gets the whole zone (ADR 0032).
 */
export class DifferenceLog {
  /** Zones by apex. The one whose last change is oldest comes first. */
  readonly #zones = new Map<string, FollowedZone>();
  #octets = 0;

  /** Keeps the changes of this zone from now on. */
  follow(apex: Uint8Array): void {
    const key = toKey(apex);
    if (!this.#zones.has(key)) this.#zones.set(key, { steps: [], octets: 0 });
  }

  /** Called before a block replaces another one. @param owners names that may differ; undefined if all may */
  *record(
    apex: Uint8Array,
    from: Uint8Array | undefined,
    to: Uint8Array,
    owners?: readonly Uint8Array[],
  ): Interruptible<void> {
    const zone = this.#zones.get(toKey(apex));
    if (zone === undefined || from === undefined) return;
    const isWithheld = [from, to].some((block) => soaSerialOf(block) === undefined);
    if (isWithheld || (owners === undefined && to.length > MAX_COMPARED_OCTETS)) {
      this.#empty(zone);
      return;
    }
    const names = owners?.map((owner) => toKey(owner.subarray(0, owner.length - apex.length)));
    const step = yield* findDifference(from, to, names);
    this.#add(apex, zone, step, to.length);
  }

  /**
   * Returns the differences from one serial to another. Undefined if some are missing, or if the last recorded
   * version was not published.
   */
  find(apex: Uint8Array, from: number, to: number): readonly Difference[] | undefined {
    const steps = this.#zones.get(toKey(apex))?.steps ?? [];
    const first = steps.findIndex((step) => step.from === from);
    return first === -1 || steps.at(-1)?.to !== to ? undefined : steps.slice(first);
  }

  forget(apex: Uint8Array): void {
    const key = toKey(apex);
    const zone = this.#zones.get(key);
    if (zone !== undefined) this.#empty(zone);
    this.#zones.delete(key);
  }

  #add(apex: Uint8Array, zone: FollowedZone, step: Difference, zoneOctets: number): void {
    if (zone.steps.at(-1)?.to !== step.from) this.#empty(zone);
    zone.steps.push(step);
    zone.octets += step.octets;
    this.#octets += step.octets;
    const most = Math.min(MAX_ZONE_OCTETS, Math.max(LEAST_ZONE_OCTETS, zoneOctets / 2));
    while (zone.octets > most) this.#dropFirst(zone);
    const key = toKey(apex);
    this.#zones.delete(key);
    this.#zones.set(key, zone);
    for (const oldest of this.#zones.values()) {
      if (this.#octets <= MAX_OCTETS) break;
      this.#empty(oldest);
    }
  }

  #empty(zone: FollowedZone): void {
    this.#octets -= zone.octets;
    zone.steps.length = 0;
    zone.octets = 0;
  }

  #dropFirst(zone: FollowedZone): void {
    const { octets = zone.octets } = zone.steps.shift() ?? {};
    zone.octets -= octets;
    this.#octets -= octets;
  }
}

function toKey(name: Uint8Array): string {
  return Buffer.from(name).toString('latin1');
}
