import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { FEED_START, horizonAt, openDatabase } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { ImageWriter } from './image/image-writer.js';
import type { NameserverSettings } from './settings/settings.js';
import type { SnapshotContent } from './snapshot/snapshot-format.js';
import type { SnapshotKeeper } from './snapshot/snapshot-keeper.js';
import { DatabaseIdentityCheck } from './sync/database-identity-check.js';
import { FeedStatus } from './sync/feed-status.js';
import { FeedFollower, imageStateOf } from './sync/follow-feed.js';
import { GuardedDatabase } from './sync/guarded-database.js';
import { InstalledZones, type ZoneObserver } from './sync/installed-zones.js';
import { ZoneLoader } from './sync/load-zones.js';
import { completeSettings, describeIgnored } from './sync/own-settings.js';
import { LateZoneReader } from './sync/read-late-zones.js';
import { StatusReporter } from './sync/report-status.js';
import type { NameserverStatus } from './sync/status-store.js';
import { giveBackMemory } from './transport/libc.js';

/** Everything that keeps the image in step with PostgreSQL. */
export interface Sync {
  readonly status: FeedStatus;
  readonly identityCheck: DatabaseIdentityCheck;
  readonly zones: InstalledZones;
  start(): void;
  /** Starts to write the status row, which belongs to the process that answers. */
  startReporting(): void;
  stop(): Promise<void>;
}

interface SyncOptions {
  readonly settings: NameserverSettings;
  readonly image: ImageWriter;
  /** Content of the snapshot from which the image was restored. Undefined if the image is empty. */
  readonly restored?: SnapshotContent | undefined;
  /** Undefined if no snapshots are stored. */
  readonly snapshots?: SnapshotKeeper | undefined;
  readonly observer?: ZoneObserver | undefined;
  /** Returns the address on which this server answers, once it answers. */
  readonly address: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Name of the program in a status row. */
const SOFTWARE = 'zonewright-nameserver';

interface PackageFile {
  readonly version: string;
}

/** Version of this package that operators see. */
const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as PackageFile
).version;

/** Time limit of a statement. A first reading of very many zones may sort for some time before its first row. */
const STATEMENT_TIMEOUT_MS = 120_000;

/**
 * Size of an image from which memory is released after reading. Its rows have left tens of megabytes of garbage; for a
 * smaller image the pause is not worthwhile.
 */
const LARGE_READING_OCTETS = 8 * 1024 * 1024;

/** Creates follower and reporter from the settings. They do not connect yet. */
export function createSync(options: SyncOptions): Sync {
  return new DatabaseSync(options);
}

class DatabaseSync implements Sync {
  readonly status: FeedStatus;
  readonly identityCheck: DatabaseIdentityCheck;
  readonly zones: InstalledZones;
  readonly #options: SyncOptions;
  readonly #startedAt: number;
  readonly #environment: SnapshotContent['environment'];
  readonly #loader: ZoneLoader;
  readonly #reporting: GuardedDatabase;
  readonly #reporter: StatusReporter;
  readonly #lateZones: LateZoneReader;
  readonly #follower: FeedFollower;
  #toldIgnored: string | undefined;
  /** Whether all zones have been read. After a snapshot, little remains to be read. */
  #hasReadAll: boolean;

  constructor(options: SyncOptions) {
    const { settings, image, restored, observer, clock, log } = options;
    const ownSettings = completeSettings(settings);
    this.#options = options;
    this.#startedAt = clock.now();
    this.status = new FeedStatus(this.#startedAt);
    this.identityCheck = new DatabaseIdentityCheck(clock);
    this.zones = new InstalledZones({ image, ownSettings, log, observer });
    this.#environment = {
      times: ownSettings.soa,
      nameserverDomainTtl: ownSettings.nameserverDomainTtlSeconds,
    };
    this.#hasReadAll = restored !== undefined;
    if (restored !== undefined) this.#resume(restored);
    this.#loader = new ZoneLoader(this.zones, this.identityCheck);
    this.#reporting = this.#guard(settings.database.statusUrl ?? settings.database.url, 'status');
    this.#reporter = new StatusReporter({
      database: this.#reporting,
      currentStatus: () => this.#currentStatus(),
      onTold: ({ moments }) => {
        this.status.told(moments);
      },
      log,
    });
    this.#lateZones = this.#createLateZoneReader();
    this.#follower = this.#createFollower();
  }

  start(): void {
    this.#follower.start();
  }

  startReporting(): void {
    this.#reporter.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#follower.stop(), this.#lateZones.stop(), this.#reporter.stop()]);
    await this.#options.snapshots?.stop();
  }

  #createLateZoneReader(): LateZoneReader {
    const { settings, clock, log } = this.#options;
    return new LateZoneReader({
      open: () => this.#guard(settings.database.url, 'feed-large'),
      loader: this.#loader,
      status: this.status,
      examine: (head) => {
        this.identityCheck.examine(head, () => this.#loader.holdsZones);
      },
      onRead: () => {
        this.status.appliedAt = clock.now();
        this.#afterReading();
      },
      log,
    });
  }

  #createFollower(): FeedFollower {
    const { settings, image, clock, log } = this.#options;
    const { database, feed } = settings;
    return new FeedFollower({
      databaseUrl: database.url,
      database: this.#guard(database.url, 'feed'),
      image,
      loader: this.#loader,
      status: this.status,
      identityCheck: this.identityCheck,
      pollIntervalMs: feed.pollIntervalMs,
      staleAfterMs: feed.staleAfterSeconds * 1_000,
      onRead: () => {
        this.#afterReading();
        if (!this.#hasReadAll) this.#afterFirstReading();
        this.#tellIgnored();
      },
      clock,
      log,
    });
  }

  #guard(url: string, purpose: string): GuardedDatabase {
    return new GuardedDatabase({
      open: (onConnect) =>
        openDatabase({
          url,
          onConnect,
          applicationName: `zonewright-nameserver-${purpose}`,
          maxConnections: 1,
          requiresSchema: true,
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
          plansOnce: true,
        }),
      stallTimeoutMs: this.#options.settings.feed.stallTimeoutMs,
    });
  }

  /**
   * Continues from a snapshot. Zones that were stored with their serials are still valid. Zones from before migration
   * 0018 depend on the settings. If the settings have changed, these zones are rebuilt when the database reports its
   * servers.
   */
  #resume(content: SnapshotContent): void {
    const { settings, image } = this.#options;
    this.status.resume(content.position, content.readAt, content.lineage);
    this.identityCheck.resume(content.database);
    const isBySerial = content.servers.settings !== undefined;
    if (isBySerial || isDeepStrictEqual(content.environment, this.#environment)) {
      this.zones.resume(content.servers, content.sharedZoneSerial ?? undefined);
    }
    const isStale = this.status.lagMs(this.#startedAt) > settings.feed.staleAfterSeconds * 1_000;
    image.setState(imageStateOf(image, isStale));
  }

  #afterReading(): void {
    const { image, snapshots } = this.#options;
    this.#reporter.report();
    // The next start must again find rejected data, changes that the database lost, and zones that are still being
    // read.
    const isPartial = this.zones.aheadZones.size + this.#loader.late.size > 0;
    if (this.identityCheck.doubt === undefined && !isPartial) {
      snapshots?.offer(image.buffer, this.status.appliedAt, this.#currentContent());
    }
  }

  #afterFirstReading(): void {
    const { image, log } = this.#options;
    this.#hasReadAll = true;
    if (image.usedOctets < LARGE_READING_OCTETS) return;
    giveBackMemory().catch((error: unknown) => {
      log.info({ err: error }, 'memory used to read all zones may be released later');
    });
  }

  #tellIgnored(): void {
    const text = this.#ignoredSettings();
    if (text !== undefined && text !== this.#toldIgnored) {
      this.#options.log.warn(
        { ignored: text },
        'settings differ from those of the database, which take precedence',
      );
    }
    this.#toldIgnored = text;
  }

  #ignoredSettings(): string | undefined {
    return describeIgnored(this.#options.settings, this.zones.servers.settings);
  }

  #currentContent(): SnapshotContent {
    return {
      position: this.status.durable,
      lineage: this.status.lineage,
      database: this.identityCheck.known,
      servers: this.zones.servers,
      sharedZoneSerial: this.zones.sharedZoneSerial ?? null,
      environment: this.#environment,
      readAt: this.status.readAt,
      writerStartedAt: this.#startedAt,
    };
  }

  #currentStatus(): NameserverStatus {
    const { settings, image, address, clock } = this.#options;
    const now = clock.now();
    return {
      name: settings.name,
      address: address(),
      software: SOFTWARE,
      version: VERSION,
      // Positions of one database have no meaning in another.
      ...this.#reached(),
      databaseId: this.identityCheck.known?.id,
      doubt: this.identityCheck.doubt,
      ignoredSettings: this.#ignoredSettings(),
      failedZones: this.zones.failedZones,
      aheadZones: this.zones.aheadZones,
      lateZones: this.zones.answeredSerials(this.#loader.late.names()),
      zones: image.zones,
      imageOctets: image.usedOctets,
      startedMsAgo: now - this.#startedAt,
      readMsAgo: this.status.lagMs(now),
      appliedMsAgo: now - this.status.appliedAt,
      now,
    };
  }

  #reached(): Pick<NameserverStatus, 'appliedBefore' | 'horizon' | 'moments'> {
    if (this.identityCheck.isElsewhere)
      return { appliedBefore: FEED_START, horizon: undefined, moments: [] };
    const { position, durable, horizon, moments } = this.status;
    if (this.#reporting.connectedAt <= this.status.readingBeganAt) {
      return { appliedBefore: position, horizon, moments };
    }
    // PostgreSQL may have crashed since the last reading, and reuse later ids.
    return { appliedBefore: durable, horizon: horizonAt(durable), moments: [] };
  }
}
