import type {
  FeedPosition,
  FeedReading,
  FeedRecord,
  FeedServers,
  FeedSignedName,
  FeedZone,
  CachedZone,
} from '@zonewright/database';
import { BoundedMap } from '@zonewright/service-kit';
import type { DatabaseIdentityCheck } from './database-identity-check.js';
import { nameFormsOf } from './build-zone.js';
import type { WorkGuard } from './guarded-database.js';
import type { InstalledZones } from './installed-zones.js';
import { LateZones } from './late-zones.js';
import { TimeSlices } from '../image/steps.js';
import type { Interruptible } from '../image/steps.js';

/**
 * Minimum number of records in a patched zone. A smaller zone is read and compiled as a whole, together with many
 * others; both ways take about the same time here.
 */
const LEAST_PATCHED_RECORDS = 1_000;
const RECORDS_A_GROUP = 20_000;
/**
 * Minimum number of records in a late zone. Fewer are read and compiled in about 0.1 s; a larger zone must not delay
 * the changes of others.
 */
const LEAST_LATE_RECORDS = 2_000;
/** Maximum number of large zones for which the next reading requests only changes: the last changed ones. */
const MAX_PATCHED = 16;

/** Handles the content of a zone. Returns whether the image changed. */
type ContentHandler = (
  zone: FeedZone,
  records: readonly FeedRecord[],
  signedNames?: readonly FeedSignedName[],
) => Interruptible<boolean>;

/**
 * Updates the image to the state of a reading, zone by zone. Applying the same reading again changes nothing, and no
 * zone ever returns to an older serial, even with an old or restored database.
 */
export class ZoneLoader {
  /** Zones that are read separately from the others. */
  readonly late = new LateZones();
  readonly #zones: InstalledZones;
  readonly #identityCheck: DatabaseIdentityCheck;
  /** Zones that were patched last, by id. */
  readonly #patched = new BoundedMap<string, FeedZone>(MAX_PATCHED);
  /** Whether a reading of all zones was interrupted. */
  #isUnfinished = false;
  /** Whether that reading must put every zone again with the same serial. */
  #isRebuilding = false;

  constructor(zones: InstalledZones, identityCheck: DatabaseIdentityCheck) {
    this.#zones = zones;
    this.#identityCheck = identityCheck;
  }

  /** Whether the image contains zones of users. */
  get holdsZones(): boolean {
    return this.#zones.holdsUserZones;
  }

  /** Lists zones that will probably change again, and can be patched from their current version. */
  listPatched(): CachedZone[] {
    return [...this.#patched.values()].flatMap((zone) => {
      const serial = this.#zones.patchableSerial(zone);
      return serial === undefined ? [] : [{ domainId: zone.domainId, serial }];
    });
  }

  /** Whether a reading of some zones is not sufficient. */
  mustReadAll(reading: FeedReading): boolean {
    if (this.#isUnfinished || this.#mustRebuild(reading)) return true;
    const { servers, sharedZoneSerial } = this.#zones;
    if (isSame(reading.servers, servers)) return false;
    if (reading.servers.domain?.name !== servers.domain?.name) return true;
    return sharedZoneSerial !== undefined && !showsShared(reading, sharedZoneSerial);
  }

  /**
   * Whether all zones must be rebuilt. Before migration 0018, each zone contains the current servers, and the settings
   * of this process.
   */
  #mustRebuild({ servers }: FeedReading): boolean {
    const known = this.#zones.servers;
    if (servers.settings === undefined) return !isSame(servers, known);
    return known.settings === undefined;
  }

  /**
   * Applies the zones that changed. Large ones that cannot be patched are left to `late`, if `since` is the position
   * from which the feed contains them. Returns the number of zones that were put or removed.
   */
  async applyChanges(
    reading: FeedReading,
    guard: WorkGuard,
    since?: FeedPosition,
  ): Promise<number> {
    const followed = this.#follow(reading);
    const gone = reading.changes.filter(({ zone }) => zone === undefined);
    for (const { name } of gone) this.late.drop(name);
    const removed = this.#removeAll(
      gone.map(({ name }) => name),
      reading,
    );
    const slices = slicesOf(guard);
    const wanted: FeedZone[] = [];
    let patched = 0;
    for (const zone of livingZones(reading)) {
      await slices.pauseIfDue();
      if (!this.#zones.isNews(zone)) continue;
      if (since !== undefined && this.late.has(zone.name)) this.late.add(zone, since);
      else if (await this.#patch(zone, reading, slices)) patched++;
      else if (since !== undefined && this.#isLate(zone)) this.late.add(zone, since);
      else wanted.push(zone);
    }
    return (
      followed + removed + patched + (await this.#handleAll(wanted, reading, guard, this.#put))
    );
  }

  /** Applies a zone of `late`, in the version of this reading. */
  async applyLate(zone: FeedZone, reading: FeedReading, guard: WorkGuard): Promise<void> {
    if (this.#zones.isNews(zone)) await this.#handleAll([zone], reading, guard, this.#put);
    this.late.settle(zone.name, zone.serial);
  }

  /** Whether a zone is read separately. The nameserver domain is not: it changes with its servers. */
  #isLate({ name, recordCount }: FeedZone): boolean {
    return recordCount >= LEAST_LATE_RECORDS && name !== this.#zones.servers.domain?.name;
  }

  /** Updates the servers in the nameserver domain. Returns the number of zones that were put for that. */
  #follow({ servers, changes }: FeedReading): number {
    if (isSame(servers, this.#zones.servers)) return 0;
    const shared = changes.find(({ name }) => name === servers.domain?.name);
    this.#zones.follow(servers, shared?.zone !== undefined);
    return 1;
  }

  /** Patches a large zone with its journal. Returns false if it must be put as a whole. */
  async #patch(zone: FeedZone, reading: FeedReading, slices: TimeSlices): Promise<boolean> {
    if (zone.recordCount < LEAST_PATCHED_RECORDS) return false;
    const since = this.#zones.patchableSerial(zone);
    if (since === undefined) return false;
    const changes = await reading.recordChanges(zone, since, nameFormsOf(zone.name));
    const isPatched = changes !== undefined && (await slices.run(this.#zones.patch(zone, changes)));
    if (isPatched) this.#patched.set(zone.domainId, zone);
    else this.#patched.delete(zone.domainId);
    return isPatched;
  }

  /**
   * Applies a reading from FEED_START: the image then contains exactly its zones. `divergedAt` is set if the database
   * has diverged from the previous one: serials from that time in seconds on may have been assigned twice.
   */
  async applyAll(reading: FeedReading, guard: WorkGuard, divergedAt = Infinity): Promise<number> {
    this.#isUnfinished = true;
    this.late.clear();
    this.#isRebuilding ||= this.#mustRebuild(reading);
    this.#take(reading);
    const living = livingZones(reading);
    const names = living.map(({ name }) => name);
    let changed = 0;
    const domainName = reading.servers.domain?.name;
    if (domainName !== undefined && !names.includes(domainName)) {
      names.push(domainName);
      changed += Number(this.#zones.putNameserverDomain());
    }
    changed += this.#removeAll(this.#zones.listAllBut(names), reading);
    const slices = slicesOf(guard);
    const wanted: FeedZone[] = [];
    for (const zone of living) {
      await slices.pauseIfDue();
      if (this.#isRebuilding ? this.#zones.isCurrent(zone) : this.#zones.isNews(zone)) {
        wanted.push(zone);
      }
    }
    for (const zones of deepestFirst(wanted)) {
      changed += await this.#handleAll(zones, reading, guard, this.#put);
    }
    const compared = living.filter((zone) => this.#mayDiffer(zone, divergedAt));
    await this.#handleAll(compared, reading, guard, this.#compare);
    this.#isRebuilding = false;
    this.#isUnfinished = false;
    return changed;
  }

  /** Whether another version may have the same serial. Versions from a primary are the same in all databases. */
  #mayDiffer({ name, serial, secondary }: FeedZone, divergedAt: number): boolean {
    if (serial < divergedAt || secondary !== undefined) return false;
    return serial === this.#zones.answeredSerial(name) && this.#zones.sharedZoneSerial !== serial;
  }

  readonly #put: ContentHandler = (...content) => this.#zones.put(...content);

  readonly #compare: ContentHandler = (...content) => this.#zones.compare(...content);

  #take({ servers }: FeedReading): void {
    if (!isSame(servers, this.#zones.servers)) this.#zones.servers = servers;
  }

  /**
   * Removes zones, including those that had to be kept before, unless they are too many to be plausible. Returns their
   * number.
   */
  #removeAll(names: Iterable<string>, { changes, database }: FeedReading): number {
    const { leaving } = this.#zones;
    for (const { name, zone } of changes) if (zone !== undefined) leaving.delete(name);
    for (const name of names) if (this.#zones.has(name)) leaving.add(name);
    if (!this.#identityCheck.allowsLoss(leaving.size, this.#zones.count, database)) return 0;
    let removed = 0;
    for (const name of leaving) if (this.#zones.remove(name)) removed++;
    leaving.clear();
    return removed;
  }

  async #handleAll(
    zones: readonly FeedZone[],
    reading: FeedReading,
    guard: WorkGuard,
    handle: ContentHandler,
  ): Promise<number> {
    const signed = zones.filter(({ isSigned }) => isSigned === true);
    const unsigned = zones.filter(({ isSigned }) => isSigned !== true);
    let changed = await this.#handleUnsigned(unsigned, reading, guard, handle);
    for (const group of groupsOf(signed)) {
      changed += await this.#handleSigned(group, reading, guard, handle);
    }
    return changed;
  }

  /**
   * Handles signed zones. Their records are read first, then their signed names, since both come over one connection.
   */
  async #handleSigned(
    zones: readonly FeedZone[],
    reading: FeedReading,
    guard: WorkGuard,
    handle: ContentHandler,
  ): Promise<number> {
    const slices = slicesOf(guard);
    const ids = zones.map(({ domainId }) => domainId);
    const records = new Map<string, readonly FeedRecord[]>();
    for await (const part of byDomain(reading.records(ids))) {
      guard.onProgress();
      records.set(part.domainId, part.rows);
    }
    const waiting = new Map(zones.map((zone) => [zone.domainId, zone]));
    let changed = 0;
    for await (const { domainId, rows } of byDomain(reading.signedNames(ids))) {
      const zone = waiting.get(domainId);
      if (zone === undefined) continue;
      waiting.delete(domainId);
      guard.onProgress();
      if (await slices.run(handle(zone, records.get(domainId) ?? [], rows))) changed++;
    }
    // Zones without signed names cannot be put, and are reported.
    for (const zone of waiting.values()) await slices.run(handle(zone, []));
    return changed;
  }

  async #handleUnsigned(
    zones: readonly FeedZone[],
    reading: FeedReading,
    guard: WorkGuard,
    handle: ContentHandler,
  ): Promise<number> {
    const waiting = new Map(zones.map((zone) => [zone.domainId, zone]));
    const slices = slicesOf(guard);
    let changed = 0;
    for await (const { domainId, rows } of byDomain(reading.records([...waiting.keys()]))) {
      const zone = waiting.get(domainId);
      if (zone === undefined) continue;
      waiting.delete(domainId);
      guard.onProgress();
      if (await slices.run(handle(zone, rows))) changed++;
    }
    // Zones without records.
    for (const zone of waiting.values()) {
      guard.onProgress();
      if (await slices.run(handle(zone, []))) changed++;
    }
    return changed;
  }
}

function slicesOf(guard: WorkGuard): TimeSlices {
  return new TimeSlices(() => {
    guard.onProgress();
  });
}

/**
 * Groups zones by depth, the deepest first. Zones are served as soon as they are loaded, and a zone loaded before those
 * below it would deny their names.
 */
function deepestFirst(zones: readonly FeedZone[]): FeedZone[][] {
  const byLabels = new Map<number, FeedZone[]>();
  for (const zone of zones) {
    const labels = zone.name.split('.').length;
    const others = byLabels.get(labels);
    if (others === undefined) byLabels.set(labels, [zone]);
    else others.push(zone);
  }
  return [...byLabels].toSorted(([a], [b]) => b - a).map(([, group]) => group);
}

/** Whether a user's zone with the nameserver domain's name has a later serial, or was deleted. */
function showsShared({ servers, changes }: FeedReading, serial: number): boolean {
  const shared = changes.find(({ name }) => name === servers.domain?.name);
  return shared !== undefined && (shared.zone === undefined || shared.zone.serial > serial);
}

function isSame(servers: FeedServers, others: FeedServers): boolean {
  return JSON.stringify(servers) === JSON.stringify(others);
}

function livingZones({ changes }: FeedReading): FeedZone[] {
  return changes.flatMap(({ zone }) => (zone === undefined ? [] : [zone]));
}

/** Groups signed zones that are read together: their records are in memory until their signed names arrive. */
function* groupsOf(zones: readonly FeedZone[]): Iterable<FeedZone[]> {
  let group: FeedZone[] = [];
  let records = 0;
  for (const zone of zones) {
    if (group.length > 0 && records + zone.recordCount > RECORDS_A_GROUP) {
      yield group;
      group = [];
      records = 0;
    }
    group.push(zone);
    // A zone without records still has SOA and NS.
    records += zone.recordCount + 1;
  }
  if (group.length > 0) yield group;
}

/** Groups rows by zone. The rows of each zone are consecutive. */
async function* byDomain<Row extends { readonly domainId: string }>(
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncIterable<{ readonly domainId: string; readonly rows: readonly Row[] }> {
  let domainId = '';
  let rows: Row[] = [];
  for await (const batch of batches) {
    for (const row of batch) {
      if (rows.length > 0 && row.domainId !== domainId) {
        yield { domainId, rows };
        rows = [];
      }
      domainId = row.domainId;
      rows.push(row);
    }
  }
  if (rows.length > 0) yield { domainId, rows };
}
