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

/** Below this a zone is read and compiled as a whole, and many of them together; both ways take about as long here. */
const LEAST_PATCHED_RECORDS = 1_000;
const RECORDS_A_GROUP = 20_000;
/** Records that are read and compiled in some 0.1 s: a larger zone must not hold up the changes of others. */
const LEAST_LATE_RECORDS = 2_000;
/** Large zones of which the next reading asks for what changed alone: those that change now. */
const MAX_PATCHED = 16;

/** Handles the content of a zone. Returns whether the image changed. */
type ContentHandler = (
  zone: FeedZone,
  records: readonly FeedRecord[],
  signedNames?: readonly FeedSignedName[],
) => Interruptible<boolean>;

/**
 * Brings the image in step with what a reading of the feed shows, zone by zone. Applying the same again changes
 * nothing, and no zone ever goes back to an older serial, whatever an old or restored database says.
 */
export class ZoneLoader {
  /** Zones that are read beside the others. */
  readonly late = new LateZones();
  readonly #zones: InstalledZones;
  readonly #identityCheck: DatabaseIdentityCheck;
  /** Zones that were patched last, by id. */
  readonly #patched = new BoundedMap<string, FeedZone>(MAX_PATCHED);
  /** Whether a reading of all zones was not finished. */
  #isUnfinished = false;
  /** Whether that reading has to put every zone again under its serial. */
  #isRebuilding = false;

  constructor(zones: InstalledZones, identityCheck: DatabaseIdentityCheck) {
    this.#zones = zones;
    this.#identityCheck = identityCheck;
  }

  /** Whether the image holds zones of users. */
  get holdsZones(): boolean {
    return this.#zones.holdsUserZones;
  }

  /** Zones that are likely to change again, and can be patched from where they are. */
  listPatched(): CachedZone[] {
    return [...this.#patched.values()].flatMap((zone) => {
      const serial = this.#zones.patchableSerial(zone);
      return serial === undefined ? [] : [{ domainId: zone.domainId, serial }];
    });
  }

  /** Whether a reading of a few zones is not enough. */
  mustReadAll(reading: FeedReading): boolean {
    if (this.#isUnfinished || this.#mustRebuild(reading)) return true;
    const { servers, sharedZoneSerial } = this.#zones;
    if (isSame(reading.servers, servers)) return false;
    if (reading.servers.domain?.name !== servers.domain?.name) return true;
    return sharedZoneSerial !== undefined && !showsShared(reading, sharedZoneSerial);
  }

  /** Before migration 0018 each zone shows the servers of the moment, and the settings of this process. */
  #mustRebuild({ servers }: FeedReading): boolean {
    const known = this.#zones.servers;
    if (servers.settings === undefined) return !isSame(servers, known);
    return known.settings === undefined;
  }

  /**
   * Applies the zones that changed. Large ones that cannot be patched are left to `late`, if `since` says from where on the
   * feed shows them. Returns how many were put or removed.
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

  /** Applies a zone of `late`, in the version that this reading shows. */
  async applyLate(zone: FeedZone, reading: FeedReading, guard: WorkGuard): Promise<void> {
    if (this.#zones.isNews(zone)) await this.#handleAll([zone], reading, guard, this.#put);
    this.late.settle(zone.name, zone.serial);
  }

  /** The nameserver domain changes with its servers, not by itself. */
  #isLate({ name, recordCount }: FeedZone): boolean {
    return recordCount >= LEAST_LATE_RECORDS && name !== this.#zones.servers.domain?.name;
  }

  /** The nameserver domain shows the servers at once. Returns how many zones were put for that. */
  #follow({ servers, changes }: FeedReading): number {
    if (isSame(servers, this.#zones.servers)) return 0;
    const shared = changes.find(({ name }) => name === servers.domain?.name);
    this.#zones.follow(servers, shared?.zone !== undefined);
    return 1;
  }

  /** Patches a large zone by its journal. Returns false if it has to be put as a whole. */
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
   * Applies a reading from FEED_START: the image then holds what it shows and nothing else. `divergedAt` is set if the database
   * went another way than the one before: serials from then on, in seconds, may have been given twice.
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

  /** Whether another version may have the same serial. Versions that a primary gave are the same in all databases. */
  #mayDiffer({ name, serial, secondary }: FeedZone, divergedAt: number): boolean {
    if (serial < divergedAt || secondary !== undefined) return false;
    return serial === this.#zones.answeredSerial(name) && this.#zones.sharedZoneSerial !== serial;
  }

  readonly #put: ContentHandler = (...content) => this.#zones.put(...content);

  readonly #compare: ContentHandler = (...content) => this.#zones.compare(...content);

  #take({ servers }: FeedReading): void {
    if (!isSame(servers, this.#zones.servers)) this.#zones.servers = servers;
  }

  /** Removes zones, and those that had to stay before, unless that is too much to be believed. Returns how many. */
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

  /** Their records first, then what is kept of them, since it is one connection that brings both. */
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
 * Zones are answered as soon as they are loaded. A zone comes after those below it: it would say that their names do not
 * exist.
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

/** A user's zone of the nameserver domain's name comes with a later serial, or is gone. */
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

/** Signed zones that are read together: their records are in memory until what is kept of them comes. */
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
    // A zone without records has SOA and NS.
    records += zone.recordCount + 1;
  }
  if (group.length > 0) yield group;
}

/** The rows of one zone after the other, each zone's together: they come so. */
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
