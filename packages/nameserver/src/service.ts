import {
  type Clock,
  createLogger,
  type Logger,
  OperationsServer,
  systemClock,
} from '@zonewright/service-kit';
import { handleQuery } from './answer/handle-query.js';
import { createPeers } from './create-peers.js';
import { createRelay } from './create-relay.js';
import { createSync, type Sync } from './create-sync.js';
import { createTransports, type Transports } from './create-transports.js';
import { ImageWriter } from './image/image-writer.js';
import type { NameserverSettings } from './settings/settings.js';
import type { MessageRelay } from './relay/message-relay.js';
import type { SnapshotContent } from './snapshot/snapshot-format.js';
import { SnapshotKeeper } from './snapshot/snapshot-keeper.js';
import { createRegistry } from './stats/metrics.js';
import { MinuteSummary } from './stats/minute-summary.js';
import { createRelayMetrics } from './stats/relay-counters.js';
import { createTransferCounters, type TransferCounters } from './stats/transfer-counters.js';
import { createTransportCounters } from './stats/transport-counters.js';
import { withinTime } from './sync/guarded-database.js';
import { KeyTransfers } from './transfer/key-transfers.js';
import type { PeerService } from './transfer/peer-service.js';
import { isCatalogName } from './transfer/peers.js';
import type { listLocalAddresses } from './transport/source-address.js';
import { startTransports } from './transport/start-transports.js';
import type { HandleQuery } from './transport/transport.js';
import { waitForTakeover } from './wait-for-turn.js';

/**
 * Time limit for the first reading at the start. If it takes longer, queries get SERVFAIL until the zones are loaded.
 */
const FIRST_READING_MS = 5_000;

/** Replacements for tests. */
export interface NameserverOverrides {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly handleQuery?: HandleQuery;
  readonly listAddresses?: typeof listLocalAddresses;
  readonly batchWorkerUrl?: URL;
}

/**
 * An authoritative nameserver. It answers over UDP and TCP from the zone image and keeps the image in step with
 * PostgreSQL. It answers from the start, with SERVFAIL (RFC 8914 Not Ready) until the zones are loaded.
 */
export class NameserverService {
  readonly #settings: NameserverSettings;
  readonly #transports: Transports;
  readonly #sync: Sync;
  readonly #peers: PeerService;
  readonly #keyTransfers: KeyTransfers | undefined;
  readonly #summary: MinuteSummary;
  readonly #operations: OperationsServer;
  readonly #clock: Clock;
  readonly #log: Logger;
  #address = '';
  #isStopped = false;

  private constructor(settings: NameserverSettings, overrides: NameserverOverrides) {
    const clock = overrides.clock ?? systemClock;
    const log = overrides.log ?? createLogger('nameserver', settings.logLevel);
    const { image, restored, snapshots } = openImage(settings, clock, log);
    const counters = createTransportCounters();
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    const transferCounters = createTransferCounters();
    this.#peers = createPeers({
      settings,
      image,
      counters: transferCounters,
      onKeys: (keys) => this.#transports.udp.setKeys?.(keys),
      isLoaded: () => this.#sync.status.isLoaded && this.#address !== '',
      clock,
      log: log.child({ subsystem: 'transfer' }),
    });
    const relayMetrics = createRelayMetrics();
    const relay = createRelay(settings, {
      image,
      counters: relayMetrics,
      isLoaded: () => this.#sync.status.isLoaded,
      log: log.child({ subsystem: 'relay' }),
    });
    const keyTransfers = relay && this.#createKeyTransfers(relay, image, transferCounters);
    this.#keyTransfers = keyTransfers;
    this.#transports = createTransports({
      answerRelayed: relay?.answer,
      answerTransferByKey: keyTransfers && ((request) => keyTransfers.answer(request)),
      peers: {
        findKey: (name) => this.#peers.findKey(name),
        answer: (request) => this.#peers.answer(request),
      },
      settings,
      image,
      counters,
      handleQuery: overrides.handleQuery ?? handleQuery,
      listAddresses: overrides.listAddresses,
      batchWorkerUrl: overrides.batchWorkerUrl,
      clock,
      log: log.child({ subsystem: 'transport' }),
    });
    this.#sync = createSync({
      settings,
      image,
      restored,
      snapshots,
      observer: {
        replacing: (...change) => this.#peers.differences.record(...change),
        replaced: (name) => {
          if (this.#sync.status.isLoaded) this.#peers.zoneChanged(name);
          relay?.replaced(name);
        },
        isOwn: isCatalogName,
      },
      address: () => this.#address,
      clock,
      log: log.child({ subsystem: 'sync' }),
    });
    this.#summary = new MinuteSummary(counters, log);
    const registry = this.#createRegistry(image, snapshots, {
      counters,
      transfers: transferCounters,
    });
    relayMetrics.register(registry);
    this.#operations = new OperationsServer({
      host: settings.listen.operationsHost ?? settings.listen.hosts[0] ?? '127.0.0.1',
      port: settings.listen.operationsPort,
      registry,
      checks: { zones: () => this.#checkZones() },
    });
  }

  #createKeyTransfers(
    relay: MessageRelay,
    image: ImageWriter,
    counters: TransferCounters,
  ): KeyTransfers {
    const { differences } = this.#peers;
    const log = this.#log.child({ subsystem: 'transfer' });
    return new KeyTransfers({ image, differences, relay, counters, clock: this.#clock, log });
  }

  #createRegistry(
    image: ImageWriter,
    snapshots: SnapshotKeeper | undefined,
    counters: Pick<Parameters<typeof createRegistry>[0], 'counters' | 'transfers'>,
  ) {
    const clock = this.#clock;
    const { status, identityCheck, zones } = this.#sync;
    return createRegistry({
      ...counters,
      peers: () => this.#peers.count,
      runningTransfers: () => this.#peers.slots.taken + (this.#keyTransfers?.running ?? 0),
      openTcpConnections: () => this.#transports.tcp.openConnections,
      zones: () => image.zones,
      records: () => image.records,
      imageOctets: () => image.usedOctets,
      signatureSecondsLeft: () => image.signedUntil - clock.now() / 1_000,
      failedZones: () => zones.failures,
      failedSnapshots: () => snapshots?.failures ?? 0,
      snapshotWrittenSeconds: () => (snapshots?.writtenAt ?? 0) / 1_000,
      isFeedReachable: () => status.isReachable,
      isDatabaseBelieved: () => identityCheck.doubt === undefined,
      feedLagSeconds: () => status.lagMs(clock.now()) / 1_000,
      lastAppliedSeconds: () => status.appliedAt / 1_000,
    });
  }

  /** Creates the service without opening anything. */
  static create(
    settings: NameserverSettings,
    overrides: NameserverOverrides = {},
  ): NameserverService {
    return new NameserverService(settings, overrides);
  }

  /**
   * Resolves when queries are answered. `dns` is the address, the same for UDP and TCP; `operations` is the URL of
   * health and metrics. Zones follow as soon as PostgreSQL can be reached. The start waits a second at most for the
   * keys of peers. If an older process answers on the same port, the zones are loaded first.
   */
  async start(): Promise<Record<string, string>> {
    const { hosts, port, operationsHost = hosts[0] ?? '' } = this.#settings.listen;
    const { tcp, udp } = this.#transports;
    // The port is opened first, since it is not shared: a process that was started twice by mistake stops here.
    const operationsPort = await this.#startOperations();
    try {
      this.#sync.start();
      await Promise.all([this.#peers.start(), this.#waitForTurn(), this.#waitForZones()]);
      this.#address = joinHostAndPort(hosts[0] ?? '', await startTransports(tcp, udp, port));
    } catch (error) {
      await Promise.all([this.#operations.stop(), this.#sync.stop(), this.#peers.stop()]);
      throw error;
    }
    this.#sync.startReporting();
    this.#summary.start();
    const addresses = {
      dns: this.#address,
      operations: `http://${joinHostAndPort(operationsHost, operationsPort)}`,
    };
    this.#log.info({ ...addresses, answeringOn: udp.addresses }, 'nameserver started');
    return addresses;
  }

  /** Stops within a second: answers in progress are sent, connections are closed. */
  async stop(): Promise<void> {
    const { tcp, udp } = this.#transports;
    this.#isStopped = true;
    this.#summary.stop();
    await Promise.all([
      ...[tcp.stop(), udp.stop(), this.#sync.stop()],
      ...[this.#peers.stop(), this.#operations.stop()],
    ]);
    this.#log.info('nameserver stopped');
  }

  async #startOperations(): Promise<number> {
    try {
      return await this.#operations.start();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      const { operationsPort } = this.#settings.listen;
      throw new Error(
        `Another program uses port ${operationsPort}; NAMESERVER_OPERATIONS_PORT sets another port for health and metrics.`,
        { cause: error },
      );
    }
  }

  /** The first queries find the zones, unless loading them is slow or fails. */
  async #waitForZones(): Promise<void> {
    await withinTime(this.#sync.status.firstReading, FIRST_READING_MS);
  }

  async #waitForTurn(): Promise<void> {
    if (!this.#transports.isPortShared) return;
    const { hosts, port } = this.#settings.listen;
    await waitForTakeover({
      hosts,
      port,
      isInStep: () => this.#sync.status.isReachable,
      isStopped: () => this.#isStopped,
      log: this.#log,
    });
    if (this.#isStopped) throw new Error('The nameserver was stopped before it answered queries.');
  }

  /**
   * Reports the state of the zones. A nameserver is ready without PostgreSQL, or with a database that it does not
   * accept, because old answers are better than none.
   */
  #checkZones(): Promise<string> {
    const { status, identityCheck } = this.#sync;
    if (!status.isLoaded) {
      return Promise.reject(new Error('the zones have not been read from PostgreSQL yet'));
    }
    if (this.#address === '') return Promise.reject(new Error('queries are not answered yet'));
    if (identityCheck.doubt !== undefined)
      return Promise.resolve(`the database is not trusted: ${identityCheck.doubt}`);
    if (status.isReachable) return Promise.resolve('ok');
    const seconds = Math.round(status.lagMs(this.#clock.now()) / 1_000);
    return Promise.resolve(`data from ${seconds} s ago: PostgreSQL cannot be read`);
  }
}

function joinHostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

interface OpenedImage {
  readonly image: ImageWriter;
  /** Content of the snapshot in the image. Undefined if the image is empty. */
  readonly restored: SnapshotContent | undefined;
  /** Undefined if the settings have no snapshot folder. */
  readonly snapshots: SnapshotKeeper | undefined;
}

/** Returns the zone image, restored from the last snapshot or empty. */
function openImage(settings: NameserverSettings, clock: Clock, log: Logger): OpenedImage {
  const { folder, intervalSeconds } = settings.snapshot;
  const { octets } = settings.image;
  if (folder === undefined) {
    return { image: ImageWriter.create(octets), restored: undefined, snapshots: undefined };
  }
  const snapshots = new SnapshotKeeper({
    folder,
    intervalMs: intervalSeconds * 1_000,
    clock,
    log: log.child({ subsystem: 'snapshot' }),
  });
  const snapshot = snapshots.load(octets);
  if (snapshot === undefined) {
    return { image: ImageWriter.create(octets), restored: undefined, snapshots };
  }
  const image = ImageWriter.resume(snapshot.image);
  const asOf = new Date(snapshot.content.readAt).toISOString();
  log.info({ zones: image.zones, records: image.records, asOf }, 'answering from a snapshot');
  return { image, restored: snapshot.content, snapshots };
}
