import type { FeedReading, FeedRecord, FeedServers, FeedZone } from '@zonewright/database';
import type { WorkGuard } from './guarded-database.js';
import type { InstalledZones } from './installed-zones.js';
import { TimeSlices } from './time-slices.js';

/**
 * Brings the image in step with what a reading of the feed shows, zone by zone. Applying the same again changes
 * nothing, and no zone ever goes back to an older serial, whatever an old or restored database says.
 */
export class ZoneLoader {
  readonly #zones: InstalledZones;
  /** The servers changed and not every zone shows it yet: a reading of all zones was not finished. */
  #isRebuilding = false;

  constructor(zones: InstalledZones) {
    this.#zones = zones;
  }

  /** Every zone shows the servers, so when these have changed a reading of a few zones is not enough. */
  mustReadAll(reading: FeedReading): boolean {
    return this.#isRebuilding || !isSame(reading.servers, this.#zones.servers);
  }

  /** Applies the zones that changed. Returns how many were put or removed. */
  async applyChanges(reading: FeedReading, guard: WorkGuard): Promise<number> {
    let removed = 0;
    for (const { name, zone } of reading.changes) {
      if (zone === undefined && this.#zones.remove(name)) removed++;
    }
    const news = livingZones(reading).filter((zone) => this.#zones.isNews(zone));
    return removed + (await this.#putAll(news, reading, guard));
  }

  /** Applies a reading from FEED_START: the image then holds what it shows and nothing else. */
  async applyAll(reading: FeedReading, guard: WorkGuard): Promise<number> {
    if (!isSame(reading.servers, this.#zones.servers)) {
      this.#isRebuilding = true;
      this.#zones.servers = reading.servers;
    }
    const living = livingZones(reading);
    const names = living.map(({ name }) => name);
    const domainName = reading.servers.domain?.name;
    let changed = 0;
    if (domainName !== undefined && !names.includes(domainName)) {
      names.push(domainName);
      if (this.#zones.putNameserverDomain()) changed++;
    }
    changed += this.#zones.removeAllBut(names);
    const wanted = living.filter((zone) =>
      this.#isRebuilding ? this.#zones.isCurrent(zone) : this.#zones.isNews(zone),
    );
    changed += await this.#putAll(wanted, reading, guard);
    this.#isRebuilding = false;
    return changed;
  }

  async #putAll(
    zones: readonly FeedZone[],
    reading: FeedReading,
    guard: WorkGuard,
  ): Promise<number> {
    const waiting = new Map(zones.map((zone) => [zone.domainId, zone]));
    const slices = new TimeSlices();
    let put = 0;
    for await (const batch of reading.records([...waiting.keys()])) {
      for (const { domainId, records } of byDomain(batch)) {
        const zone = waiting.get(domainId);
        if (zone === undefined) continue;
        waiting.delete(domainId);
        guard.onProgress();
        if (this.#zones.put(zone, records)) put++;
        await slices.pauseIfDue();
      }
    }
    // Those that have no records.
    for (const zone of waiting.values()) {
      guard.onProgress();
      if (this.#zones.put(zone, [])) put++;
      await slices.pauseIfDue();
    }
    return put;
  }
}

function isSame(servers: FeedServers, others: FeedServers): boolean {
  return JSON.stringify(servers) === JSON.stringify(others);
}

function livingZones({ changes }: FeedReading): FeedZone[] {
  return changes.flatMap(({ zone }) => (zone === undefined ? [] : [zone]));
}

interface DomainRecords {
  readonly domainId: string;
  readonly records: readonly FeedRecord[];
}

/** The records of one zone after the other; they come sorted by domain. */
function* byDomain(batch: readonly FeedRecord[]): Iterable<DomainRecords> {
  let start = 0;
  while (start < batch.length) {
    const domainId = batch[start]?.domainId ?? '';
    let end = start + 1;
    while (end < batch.length && batch[end]?.domainId === domainId) end++;
    yield { domainId, records: batch.slice(start, end) };
    start = end;
  }
}
