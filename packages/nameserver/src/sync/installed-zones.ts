import { nameToWire, wireToName } from '@zonewright/dns-records';
import type {
  FeedApex,
  FeedRecord,
  FeedRecordChanges,
  FeedServers,
  FeedSignedName,
  FeedZone,
  ServiceSettings,
} from '@zonewright/database';
import type { Logger } from '@zonewright/service-kit';
import { compileZoneInParts, recordsOfBlock } from '../compile/compile-zone.js';
import { findDifference } from '../compile/difference.js';
import type { ImageWriter } from '../image/image-writer.js';
import { patchZoneInParts } from '../compile/patch-zone.js';
import { runToEnd, type Interruptible } from '../image/steps.js';
import type { ZoneContent } from '../compile/zone-tree.js';
import {
  buildNameserverZone,
  buildSharedZone,
  buildSignedZone,
  buildUserZone,
  latestApex,
  type NameserverDomainContent,
} from './build-zone.js';
import { MAX_FAILED_ZONES } from './status-store.js';

export interface InstalledZonesOptions {
  readonly image: ImageWriter;
  /** Settings of this nameserver, used if the database has none (before migration 0018). */
  readonly ownSettings: ServiceSettings;
  readonly log: Logger;
  /** Undefined if zone transfers are not served. */
  readonly observer?: ZoneObserver | undefined;
}

/** Next block of a zone. */
interface Replacement {
  readonly apex: Uint8Array;
  readonly block: Uint8Array;
  /** Names at which it may differ from the previous block. Undefined if any may. */
  readonly owners?: readonly Uint8Array[];
  /** Publishes a block that was built in the image. */
  readonly publish?: (() => void) | undefined;
}

/** Observer of the versions of zones. */
export interface ZoneObserver {
  /** Called before a block replaces another. `owners` are the names that may differ; undefined means any. */
  readonly replacing: (
    apex: Uint8Array,
    from: Uint8Array | undefined,
    to: Uint8Array,
    owners?: readonly Uint8Array[],
  ) => Interruptible<void>;
  /** Called when answers come from the new version. */
  readonly replaced: (name: string) => void;
  /** Whether a zone is built by this server and not in the feed. */
  readonly isOwn: (name: string) => boolean;
}

/**
 * Zones in the image, by their names and serials in the database. It puts users' zones, and the nameserver domain,
 * which is a separate zone if no user has one with that name.
 */
export class InstalledZones {
  readonly #options: InstalledZonesOptions;
  #servers: FeedServers = { domain: undefined, servers: [] };
  /** Serial of the user's zone within the nameserver domain, which has a different serial. */
  #sharedZoneSerial: number | undefined;
  /** Serials that could not be put, by name. They are tried once, not at each reading that contains them. */
  readonly #failedSerials = new Map<string, number>();
  /**
   * Serials of zones that are ahead of the database, which has an earlier version, or another one with the same
   * serial, because it was restored or lost its last changes.
   */
  readonly #aheadOfDatabase = new Map<string, number>();
  /** Zones that the database no longer has. They are kept until their loss is accepted. */
  readonly leaving = new Set<string>();
  /** Number of zone versions that could not be put. */
  failures = 0;

  constructor(options: InstalledZonesOptions) {
    this.#options = options;
  }

  /** Servers in the nameserver domain and, before migration 0018, in every zone. */
  get servers(): FeedServers {
    return this.#servers;
  }

  set servers(servers: FeedServers) {
    this.#servers = servers;
    this.#sharedZoneSerial = undefined;
    this.#failedSerials.clear();
  }

  get count(): number {
    return this.#options.image.zones;
  }

  /** Whether there is any zone other than the nameserver domain and those built by this server. */
  get holdsUserZones(): boolean {
    if (this.#sharedZoneSerial !== undefined) return true;
    const { domain } = this.#servers;
    return this.listAllBut(domain === undefined ? [] : [domain.name]).length > 0;
  }

  /**
   * Zones that could not be updated, with the serial that is served, or 0 if there is none. The number is limited to
   * what a report can contain.
   */
  get failedZones(): ReadonlyMap<string, number> {
    const failed = new Map<string, number>();
    for (const names of [this.#failedSerials.keys(), this.leaving]) {
      for (const name of names) {
        if (failed.size > MAX_FAILED_ZONES) return failed;
        failed.set(name, this.#imageSerial(name));
      }
    }
    return failed;
  }

  /**
   * Zones that are served with changes that the database lost, with the serial that their next version must exceed. The
   * number is limited to what a report can contain.
   */
  get aheadZones(): ReadonlyMap<string, number> {
    return this.#aheadOfDatabase.size <= MAX_FAILED_ZONES
      ? this.#aheadOfDatabase
      : new Map([...this.#aheadOfDatabase].slice(0, MAX_FAILED_ZONES + 1));
  }

  /** Serial of the user's zone that is merged into the nameserver domain. Undefined if there is none. */
  get sharedZoneSerial(): number | undefined {
    return this.#sharedZoneSerial;
  }

  /**
   * Replaces the servers. Zones other than the nameserver domain contain them only from their next serial on. A
   * user's zone of the nameserver domain's name must be put or removed together with it.
   */
  follow(servers: FeedServers, isShared: boolean): void {
    this.#servers = servers;
    if (!isShared && this.#sharedZoneSerial === undefined) this.putNameserverDomain();
  }

  /** Takes over the zones in the image, which were put with these servers. */
  resume(servers: FeedServers, sharedZoneSerial: number | undefined): void {
    this.#servers = servers;
    this.#sharedZoneSerial = sharedZoneSerial;
  }

  /** Returns the served serials of zones, or 0 if there is none. The number is limited to what a report can contain. */
  answeredSerials(names: Iterable<string>): ReadonlyMap<string, number> {
    const serials = new Map<string, number>();
    for (const name of names) {
      if (serials.size > MAX_FAILED_ZONES) break;
      serials.set(name, this.#imageSerial(name));
    }
    return serials;
  }

  /** Whether to put the zone. A lower serial comes from a database that lost changes. */
  isNews(zone: FeedZone): boolean {
    if (this.#failedSerials.get(zone.name) === zone.serial) return false;
    const serial = this.answeredSerial(zone.name);
    if (serial === undefined) return true;
    // The primary may return to an earlier version.
    if (zone.serial < serial && zone.secondary === undefined) {
      this.#aheadOfDatabase.set(zone.name, serial);
    }
    return zone.serial > serial;
  }

  /** Returns the serial of the user's zone in the image. */
  answeredSerial(name: string): number | undefined {
    return this.#isNameserverDomain(name)
      ? this.#sharedZoneSerial
      : this.#options.image.zoneSerial(nameToWire(name));
  }

  /**
   * Compares the zone with the served version that has the same serial. If they differ, the serial was assigned twice,
   * by diverged databases. Returns false then, and the image is not changed.
   */
  *compare(
    zone: FeedZone,
    records: readonly FeedRecord[],
    signedNames?: readonly FeedSignedName[],
  ): Interruptible<boolean> {
    const content = this.#buildZone(zone, records, signedNames);
    const answered = this.#options.image.zoneBlock(content.apex);
    if (answered === undefined) return false;
    const block = yield* compileZoneInParts(content);
    const { removed, added } = yield* findDifference(answered, block, undefined);
    // Both lists begin with the SOA record.
    const [before, ...otherBefore] = removed;
    const [after, ...otherAfter] = added;
    const isSame =
      otherBefore.length + otherAfter.length === 0 &&
      before !== undefined &&
      after !== undefined &&
      Buffer.compare(before.octets, after.octets) === 0;
    if (!isSame) this.#aheadOfDatabase.set(zone.name, zone.serial);
    return false;
  }

  /** Whether this zone may replace the existing one, even if only the servers have changed. */
  isCurrent(zone: FeedZone): boolean {
    return this.#isNameserverDomain(zone.name) || zone.serial >= this.#imageSerial(zone.name);
  }

  /** Returns false if the zone could not be put. It then stays unchanged. */
  *put(
    zone: FeedZone,
    records: readonly FeedRecord[],
    signedNames?: readonly FeedSignedName[],
  ): Interruptible<boolean> {
    const { name, serial } = zone;
    const isShared = this.#isNameserverDomain(name);
    const build = () =>
      isShared
        ? buildSharedZone(zone, records, this.#imageSerial(name), this.#domainContent())
        : this.#buildZone(zone, records, signedNames);
    let isPut = yield* this.#compileAndPut(name, build);
    // A zone that its primary signed incompletely is served without proofs, since withholding it is not the decision of
    // this server.
    if (!isPut && zone.secondary === 'answered') {
      isPut = yield* this.#compileAndPut(name, () => ({ ...build(), isSigned: false }));
    }
    if (!isPut) {
      this.#failedSerials.set(name, serial);
      return false;
    }
    this.#failedSerials.delete(name);
    this.#aheadOfDatabase.delete(name);
    if (isShared) this.#sharedZoneSerial = serial;
    return true;
  }

  /** Returns the serial from which a zone can be patched. Undefined if it must be put as a whole. */
  patchableSerial({ name, secondary, isSigned = false }: FeedZone): number | undefined {
    if (secondary === 'withheld') return undefined;
    // The journal of one database does not apply to a version from another.
    if (this.#isNameserverDomain(name) || this.#aheadOfDatabase.has(name)) return undefined;
    const { image } = this.#options;
    const apex = nameToWire(name);
    return image.isSigned(apex) === isSigned ? image.zoneSerial(apex) : undefined;
  }

  /**
   * Updates a zone from its patchable serial to this one. Returns false if the result is wrong, such as the number of
   * records, or the signed names of a signed zone. The zone then stays unchanged, and must be put as a whole.
   */
  *patch(
    zone: FeedZone,
    { names, records, signedNames }: FeedRecordChanges,
  ): Interruptible<boolean> {
    const { image } = this.#options;
    const content = this.#buildZone(zone, records, signedNames);
    const block = image.zoneBlock(content.apex);
    // Signatures of a primary are checked for the whole zone, and NSEC3 are planned for all of it.
    if (block === undefined || (content.isForeign && content.isSigned)) return false;
    if (image.isOrderedByHash(content.apex)) return false;
    const { apex } = content;
    // The block is built in its final memory.
    const reserved = zone.isSigned === true ? undefined : image.reserveNext(apex);
    try {
      const owners = Array.from(names, nameToWire);
      const patched = yield* patchZoneInParts(block, { ...content, owners }, reserved);
      if (!this.#isComplete(zone, patched.octets)) return false;
      const publish =
        reserved &&
        (() => {
          reserved.publish(patched);
        });
      yield* this.#replace(zone.name, { apex, block: patched.octets, owners, publish });
      this.#failedSerials.delete(zone.name);
      return true;
    } catch (error) {
      this.#options.log.warn({ err: error, zone: zone.name }, 'a zone could not be patched');
      return false;
    } finally {
      reserved?.giveBack();
    }
  }

  /**
   * Whether all records are present. For a signed zone they are not counted, since the chain of names shows missing
   * ones.
   */
  #isComplete(zone: FeedZone, block: Uint8Array): boolean {
    if (zone.isSigned === true) return true;
    const ownRecords = zone.secondary === undefined ? this.#apexOf(zone).servers.length + 1 : 0;
    return recordsOfBlock(block) === zone.recordCount + ownRecords;
  }

  #buildZone(
    zone: FeedZone,
    records: readonly FeedRecord[],
    signedNames: readonly FeedSignedName[] = [],
  ): ZoneContent {
    if (zone.isSigned === true) return buildSignedZone(zone, records, signedNames);
    return buildUserZone(zone, records, this.#apexOf(zone));
  }

  /** Whether there is a user's zone with this name. */
  has(name: string): boolean {
    if (this.#isNameserverDomain(name)) return this.#sharedZoneSerial !== undefined;
    return this.#options.image.zoneSerial(nameToWire(name)) !== undefined;
  }

  /** Removes the user's zone with this name. Returns false if there is none. */
  remove(name: string): boolean {
    this.#failedSerials.delete(name);
    this.#aheadOfDatabase.delete(name);
    if (!this.#isNameserverDomain(name)) return this.#options.image.remove(nameToWire(name));
    return this.#sharedZoneSerial !== undefined && this.putNameserverDomain();
  }

  /** Puts the nameserver domain without a user's zone. Returns false if there is none. */
  putNameserverDomain(): boolean {
    const { domain } = this.#servers;
    if (domain === undefined) return false;
    this.#sharedZoneSerial = undefined;
    return runToEnd(
      this.#compileAndPut(domain.name, () =>
        buildNameserverZone(domain, this.#imageSerial(domain.name), this.#domainContent()),
      ),
    );
  }

  /** Lists the names of all other zones. */
  listAllBut(names: Iterable<string>): string[] {
    const kept = new Set<string>();
    for (const name of names) kept.add(toKey(nameToWire(name)));
    const others = this.#options.image.listApexes().filter((apex) => !kept.has(toKey(apex)));
    return others.map((apex) => wireToName(apex)).filter((name) => !this.#isOwn(name));
  }

  #isOwn(name: string): boolean {
    return this.#options.observer?.isOwn(name) ?? false;
  }

  #isNameserverDomain(name: string): boolean {
    return name === this.#servers.domain?.name;
  }

  /** Compiles and puts a zone. An error in one zone must not affect the others. */
  *#compileAndPut(name: string, build: () => ZoneContent): Interruptible<boolean> {
    try {
      const content = build();
      const { apex } = content;
      yield* this.#replace(name, { apex, block: yield* compileZoneInParts(content) });
      return true;
    } catch (error) {
      this.failures++;
      this.#options.log.error({ err: error, zone: name }, 'a zone could not be loaded');
      return false;
    }
  }

  *#replace(name: string, { apex, block, owners, publish }: Replacement): Interruptible<void> {
    const { image, observer } = this.#options;
    if (observer !== undefined) {
      yield* observer.replacing(apex, image.zoneBlock(apex), block, owners);
    }
    if (publish === undefined) yield* image.putInSteps(block);
    else publish();
    observer?.replaced(name);
  }

  /** Returns the served serial, or 0 if there is none. */
  #imageSerial(name: string): number {
    return this.#options.image.zoneSerial(nameToWire(name)) ?? 0;
  }

  #apexOf({ apex }: FeedZone): FeedApex {
    return apex ?? latestApex(this.#domainContent());
  }

  #domainContent(): NameserverDomainContent {
    const servers = this.#servers;
    return { servers, settings: servers.settings ?? this.#options.ownSettings };
  }
}

function toKey(apex: Uint8Array): string {
  return Buffer.from(apex).toString('latin1');
}
