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
  /** Undefined: nobody transfers zones. */
  readonly observer?: ZoneObserver | undefined;
}

/** The next block of a zone. */
interface Replacement {
  readonly apex: Uint8Array;
  readonly block: Uint8Array;
  /** Names at which it may differ from the block before; undefined if any may. */
  readonly owners?: readonly Uint8Array[];
  /** Publishes a block that was made inside the image. */
  readonly publish?: (() => void) | undefined;
}

/** Observer of the versions of zones. */
export interface ZoneObserver {
  /** A block will take the place of another one; `owners`: where they may differ, undefined: anywhere. */
  readonly replacing: (
    apex: Uint8Array,
    from: Uint8Array | undefined,
    to: Uint8Array,
    owners?: readonly Uint8Array[],
  ) => Interruptible<void>;
  /** It is answered with. */
  readonly replaced: (name: string) => void;
  /** Is it a zone that no reading of the feed knows? */
  readonly isOwn: (name: string) => boolean;
}

/**
 * The zones in the image, by the names and serials of the database. Puts users' zones, and the nameserver domain, which
 * is a zone of its own as long as no user has one of that name.
 */
export class InstalledZones {
  readonly #options: InstalledZonesOptions;
  #servers: FeedServers = { domain: undefined, servers: [] };
  /** Serial of the user's zone within the nameserver domain's, whose own serial says nothing about it. */
  #sharedZoneSerial: number | undefined;
  /** Serials that could not be put, by name: to be tried once, not at each reading that shows them. */
  readonly #failedSerials = new Map<string, number>();
  /**
   * Serials of zones that the database has in an earlier version, or in another one of the same serial: it was restored, or
   * lost its last changes.
   */
  readonly #aheadOfDatabase = new Map<string, number>();
  /** Zones that the database no longer has, and that stay until their loss is accepted. */
  readonly leaving = new Set<string>();
  /** Versions of zones that could not be put. */
  failures = 0;

  constructor(options: InstalledZonesOptions) {
    this.#options = options;
  }

  /** Servers that the nameserver domain shows, and before migration 0018 every zone. */
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

  /** Whether any zone is neither the nameserver domain alone nor made by this server. */
  get holdsUserZones(): boolean {
    if (this.#sharedZoneSerial !== undefined) return true;
    const { domain } = this.#servers;
    return this.listAllBut(domain === undefined ? [] : [domain.name]).length > 0;
  }

  /**
   * Zones that stayed as they were when they should have changed, with the serial that is answered; 0: none is. Not many
   * more than can be told.
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
   * Zones that are answered as the database no longer has them, with the serial that its next version must exceed. Not many
   * more than can be told.
   */
  get aheadZones(): ReadonlyMap<string, number> {
    return this.#aheadOfDatabase.size <= MAX_FAILED_ZONES
      ? this.#aheadOfDatabase
      : new Map([...this.#aheadOfDatabase].slice(0, MAX_FAILED_ZONES + 1));
  }

  /** Serial of the user's zone that the nameserver domain holds too; undefined if there is none. */
  get sharedZoneSerial(): number | undefined {
    return this.#sharedZoneSerial;
  }

  /**
   * Goes on with other servers, where other zones do not show them but by their serials. A user's zone of that name
   * has to be put, or removed, with it.
   */
  follow(servers: FeedServers, isShared: boolean): void {
    this.#servers = servers;
    if (!isShared && this.#sharedZoneSerial === undefined) this.putNameserverDomain();
  }

  /** Takes over the zones that are in the image already, which were put with these servers. */
  resume(servers: FeedServers, sharedZoneSerial: number | undefined): void {
    this.#servers = servers;
    this.#sharedZoneSerial = sharedZoneSerial;
  }

  /** Serials of zones that are answered; 0: none is. Not many more than can be told. */
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
    // A primary gives its later version again.
    if (zone.serial < serial && zone.secondary === undefined) {
      this.#aheadOfDatabase.set(zone.name, serial);
    }
    return zone.serial > serial;
  }

  /** Serial of the user's zone in the image. */
  answeredSerial(name: string): number | undefined {
    return this.#isNameserverDomain(name)
      ? this.#sharedZoneSerial
      : this.#options.image.zoneSerial(nameToWire(name));
  }

  /**
   * Compares the zone with the one of the same serial that is answered. If they differ, the serial was given twice, by
   * databases that went different ways. Returns false: the image stays as it is.
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
    // Both begin with the SOA record.
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

  /** May this zone replace what is there, even if only the servers have changed? */
  isCurrent(zone: FeedZone): boolean {
    return this.#isNameserverDomain(zone.name) || zone.serial >= this.#imageSerial(zone.name);
  }

  /** Returns false if the zone could not be put; then it stays as it was. */
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
    // A zone that its primary signed in part is answered without proofs; withholding it is not our decision.
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

  /** The serial from which a zone can be patched; undefined: it has to be put as a whole. */
  patchableSerial({ name, secondary, isSigned = false }: FeedZone): number | undefined {
    if (secondary === 'withheld') return undefined;
    // The journal of one database says nothing about the version of another.
    if (this.#isNameserverDomain(name) || this.#aheadOfDatabase.has(name)) return undefined;
    const { image } = this.#options;
    const apex = nameToWire(name);
    return image.isSigned(apex) === isSigned ? image.zoneSerial(apex) : undefined;
  }

  /**
   * Brings a zone from its patchable serial to this one. Returns false if the result is wrong, such as the number of records,
   * or the signed names of a signed zone. The zone then stays as it was, and has to be put as a whole.
   */
  *patch(
    zone: FeedZone,
    { names, records, signedNames }: FeedRecordChanges,
  ): Interruptible<boolean> {
    const { image } = this.#options;
    const content = this.#buildZone(zone, records, signedNames);
    const block = image.zoneBlock(content.apex);
    // Whether signatures of a primary are complete is looked at in the zone as a whole, and NSEC3 are planned for all of it.
    if (block === undefined || (content.isForeign && content.isSigned)) return false;
    if (image.isOrderedByHash(content.apex)) return false;
    const { apex } = content;
    // It is made where it stays.
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

  /** How many records are kept of a signed zone is not counted: there the chain of names shows what is missing. */
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

  /** Whether there is a user's zone of this name. */
  has(name: string): boolean {
    if (this.#isNameserverDomain(name)) return this.#sharedZoneSerial !== undefined;
    return this.#options.image.zoneSerial(nameToWire(name)) !== undefined;
  }

  /** Removes the user's zone of this name. Returns false if it was not present. */
  remove(name: string): boolean {
    this.#failedSerials.delete(name);
    this.#aheadOfDatabase.delete(name);
    if (!this.#isNameserverDomain(name)) return this.#options.image.remove(nameToWire(name));
    return this.#sharedZoneSerial !== undefined && this.putNameserverDomain();
  }

  /** Puts the nameserver domain without a user's zone. False if there is none. */
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

  /** Names of the zones that are not listed. */
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

  /** One zone with data that nobody could foresee must not keep the others from being answered. */
  *#compileAndPut(name: string, build: () => ZoneContent): Interruptible<boolean> {
    try {
      const content = build();
      const { apex } = content;
      yield* this.#replace(name, { apex, block: yield* compileZoneInParts(content) });
      return true;
    } catch (error) {
      this.failures++;
      this.#options.log.error({ err: error, zone: name }, 'a zone could not be taken over');
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

  /** Serial that is answered; 0: none is. */
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
