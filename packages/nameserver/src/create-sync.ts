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
  /** Begins to write the status row: that of the process that answers. */
  startReporting(): void;
  stop(): Promise<void>;
}

interface SyncOptions {
  readonly settings: NameserverSettings;
  readonly image: ImageWriter;
  /** Content of the snapshot from which the image was restored. Undefined if the image is empty. */
  readonly restored?: SnapshotContent | undefined;
  /** Undefined: no snapshots are kept. */
  readonly snapshots?: SnapshotKeeper | undefined;
  readonly observer?: ZoneObserver | undefined;
  /** Returns the address on which this server answers, once it answers. */
  readonly address: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Says which program a status row is about. */
const SOFTWARE = 'zonewright-nameserver';
/** A first reading of very many zones may sort for a while before the first row comes. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** An image of so many octets came in rows that left tens of megabytes behind; less is not worth the pause. */
const LARGE_READING_OCTETS = 8 * 1024 * 1024;

/** Puts follower and reporter together from the settings; nothing is connected yet. */
export function createSync(options: SyncOptions): Sync {
  const { settings, image, clock, log } = options;
  const { database, feed } = settings;
  const startedAt = clock.now();
  const status = new FeedStatus(startedAt);
  const identityCheck = new DatabaseIdentityCheck(clock);
  const ownSettings = completeSettings(settings);
  const zones = new InstalledZones({ image, ownSettings, log, observer: options.observer });
  const ignored = () => describeIgnored(settings, zones.servers.settings);
  let toldIgnored: string | undefined;
  /** A snapshot leaves little to be read. */
  let hasReadAll = options.restored !== undefined;
  const environment = {
    times: ownSettings.soa,
    nameserverDomainTtl: ownSettings.nameserverDomainTtlSeconds,
  };
  if (options.restored !== undefined) resume(options.restored);
  const guarded = (url: string, purpose: string) =>
    new GuardedDatabase({
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
      stallTimeoutMs: feed.stallTimeoutMs,
    });
  const reporting = guarded(database.statusUrl ?? database.url, 'status');
  const reporter = new StatusReporter({
    database: reporting,
    currentStatus,
    onTold: ({ moments }) => {
      status.told(moments);
    },
    log,
  });
  const loader = new ZoneLoader(zones, identityCheck);
  const onRead = () => {
    reporter.report();
    // The next start has to find again what is not believed, what the database lost, and what is still being read.
    if (identityCheck.doubt === undefined && zones.aheadZones.size + loader.late.size === 0) {
      options.snapshots?.offer(image.buffer, status.appliedAt, currentContent());
    }
  };
  const lateZones = new LateZoneReader({
    open: () => guarded(database.url, 'feed-large'),
    loader,
    status,
    examine: (head) => {
      identityCheck.examine(head, () => loader.holdsZones);
    },
    onRead: () => {
      status.appliedAt = clock.now();
      onRead();
    },
    log,
  });
  const follower = new FeedFollower({
    databaseUrl: database.url,
    database: guarded(database.url, 'feed'),
    image,
    loader,
    status,
    identityCheck,
    pollIntervalMs: feed.pollIntervalMs,
    staleAfterMs: feed.staleAfterSeconds * 1_000,
    onRead: () => {
      onRead();
      if (!hasReadAll) afterFirstReading();
      tellIgnored();
    },
    clock,
    log,
  });
  return {
    status,
    identityCheck,
    zones,
    start: () => {
      follower.start();
    },
    startReporting: () => {
      reporter.start();
    },
    stop: async () => {
      await Promise.all([follower.stop(), lateZones.stop(), reporter.stop()]);
      await options.snapshots?.stop();
    },
  };

  /**
   * Continues from a snapshot. Zones that were put by their serials are still valid. Zones from before migration 0018
   * depend on the settings. If the settings have changed, they are made again once the database shows its servers.
   */
  function resume(content: SnapshotContent): void {
    status.resume(content.position, content.readAt, content.lineage);
    identityCheck.resume(content.database);
    const isBySerial = content.servers.settings !== undefined;
    if (isBySerial || isDeepStrictEqual(content.environment, environment)) {
      zones.resume(content.servers, content.sharedZoneSerial ?? undefined);
    }
    const isStale = status.lagMs(startedAt) > feed.staleAfterSeconds * 1_000;
    image.setState(imageStateOf(image, isStale));
  }

  function tellIgnored(): void {
    const text = ignored();
    if (text !== undefined && text !== toldIgnored) {
      log.warn({ ignored: text }, 'settings here are not those of the database, which count');
    }
    toldIgnored = text;
  }

  function afterFirstReading(): void {
    hasReadAll = true;
    if (image.usedOctets < LARGE_READING_OCTETS) return;
    giveBackMemory().catch((error: unknown) => {
      log.info({ err: error }, 'memory that reading all zones took may be given back later');
    });
  }

  function currentContent(): SnapshotContent {
    return {
      position: status.durable,
      lineage: status.lineage,
      database: identityCheck.known,
      servers: zones.servers,
      sharedZoneSerial: zones.sharedZoneSerial ?? null,
      environment,
      readAt: status.readAt,
      writerStartedAt: startedAt,
    };
  }

  function currentStatus(): NameserverStatus {
    const now = clock.now();
    return {
      name: settings.name,
      address: options.address(),
      software: SOFTWARE,
      version: VERSION,
      // Positions of another database say nothing there.
      ...reached(),
      databaseId: identityCheck.known?.id,
      doubt: identityCheck.doubt,
      ignoredSettings: ignored(),
      failedZones: zones.failedZones,
      aheadZones: zones.aheadZones,
      lateZones: zones.answeredSerials(loader.late.names()),
      zones: image.zones,
      imageOctets: image.usedOctets,
      startedMsAgo: now - startedAt,
      readMsAgo: status.lagMs(now),
      appliedMsAgo: now - status.appliedAt,
      now,
    };
  }

  function reached(): Pick<NameserverStatus, 'appliedBefore' | 'horizon' | 'moments'> {
    if (identityCheck.isElsewhere)
      return { appliedBefore: FEED_START, horizon: undefined, moments: [] };
    const { position, durable, horizon, moments } = status;
    if (reporting.connectedAt <= status.readingBeganAt) {
      return { appliedBefore: position, horizon, moments };
    }
    // PostgreSQL may have crashed since the last reading, and use again what lies behind.
    return { appliedBefore: durable, horizon: horizonAt(durable), moments: [] };
  }
}

interface PackageFile {
  readonly version: string;
}

/** Version of this package that operators see. */
const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as PackageFile
).version;
