import {
  type Database,
  type Keyring,
  mayPeerTransfer,
  type PeerReport,
  readCatalog,
  readPeers,
  readPeersOfZones,
  readPeersVersion,
  readZonesBehind,
  savePeerReports,
} from '@zonewright/database';
import {
  nameToWire,
  rdataToWire,
  RR_TYPE,
  type TsigKey,
  wireToName,
} from '@zonewright/dns-records';
import { type Clock, FairSlots, type Logger } from '@zonewright/service-kit';
import { soaSerialOf } from '../compile/block-records.js';
import { compileZoneInParts } from '../compile/compile-zone.js';
import type { ZoneContent } from '../compile/zone-tree.js';
import type { ImageWriter } from '../image/image-writer.js';
import { TimeSlices } from '../image/steps.js';
import type { TransferCounters } from '../stats/transfer-counters.js';
import { type GuardedDatabase, withinTime } from '../sync/guarded-database.js';
import type { TransferRequest } from '../transport/tcp-answer.js';
import type { AnswerStream } from '../transport/transport.js';
import { DifferenceLog } from './difference-log.js';
import { Notifier } from './notifier.js';
import { catalogName, isCatalogName, openPeers, type Peer } from './peers.js';
import { Transfers } from './transfers.js';

interface PeerServiceOptions {
  readonly image: ImageWriter;
  readonly database: GuardedDatabase;
  /** Database for writing. Undefined means the same database. */
  readonly statusDatabase: GuardedDatabase | undefined;
  /** Undefined if peers cannot be served. They are not read then. */
  readonly keyring: Keyring | undefined;
  readonly maxTransfers: number;
  readonly maxTransfersPerPeer: number;
  readonly timeoutMs: number;
  readonly isNotifying: boolean;
  /** Whether all zones are loaded and served, after which peers may be notified. */
  readonly isLoaded: () => boolean;
  readonly notifySources: readonly string[];
  readonly pollIntervalMs: number;
  /** Called with all current keys. */
  readonly onKeys: (keys: readonly TsigKey[]) => void;
  readonly counters: TransferCounters;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Maximum number of permissions that are cached for times without the database. */
const MAX_REMEMBERED = 100_000;
/** Time in which changes are collected for one query. */
const GATHER_MS = 20;
const REPORT_INTERVAL_MS = 250;
/** Time limit of the first reading, for which a response waits. */
const FIRST_READING_MS = 1_000;
const MAX_REPORTS = 100_000;
/** Maximum number of transfers that wait for a slot, in a queue that peers share. More are refused. */
const MAX_WAITING = 200;
/**
 * Maximum number of zones that a peer is notified of. It learns of the others when they change, or by the REFRESH of
 * the SOA.
 */
const MAX_TOLD_AGAIN = 10_000;

/**
 * Serves peers: reads their changes periodically, answers their transfers, notifies them of changes, builds their
 * catalogs and writes their state. Without the database it continues with cached data.
 */
export class PeerService {
  readonly #options: PeerServiceOptions;
  readonly differences = new DifferenceLog();
  readonly #transfers: Transfers;
  readonly #notifier: Notifier;
  readonly #allowed = new Set<string>();
  readonly #reports = new Map<string, PeerReport>();
  readonly #changed = new Set<string>();
  readonly slots: FairSlots;
  #peers: ReadonlyMap<string, Peer> = new Map();
  /** State of the peers when they were last notified of missing zones. Empty at the start. */
  #told: ReadonlyMap<string, Peer> = new Map();
  /** Pending query, since only one runs at a time. */
  #reading: Promise<unknown> = Promise.resolve();
  #isSaving = false;
  #version: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reportTimer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFailing = false;

  constructor(options: PeerServiceOptions) {
    const { image, counters, clock, log, timeoutMs } = options;
    this.#options = options;
    this.slots = new FairSlots({
      total: options.maxTransfers,
      perOwner: options.maxTransfersPerPeer,
      queue: { total: MAX_WAITING, perOwner: MAX_WAITING, waitMs: timeoutMs },
    });
    this.#transfers = new Transfers({
      ...{ image, counters, clock, log, timeoutMs },
      differences: this.differences,
      slots: this.slots,
      findPeer: (keyName) => this.#peers.get(keyName),
      mayTake: (peer, zone) => this.#mayTake(peer, zone),
      onSerial: (peer, zone, serial) => {
        this.#report({ peerId: peer.id, zone, serial, problem: undefined });
      },
      onProblem: (peer, zone, problem) => {
        this.#report({ peerId: peer.id, zone, problem });
      },
    });
    this.#notifier = new Notifier({
      ...{ counters, clock, log, sources: options.notifySources },
      serialOf: (zone) => {
        const block = image.zoneBlock(nameToWire(zone));
        return block && soaSerialOf(block);
      },
      onAnswer: (peer, zone, notifiedSerial, notifyAnswer) => {
        this.#report({ peerId: peer.id, zone, notifiedSerial, notifyAnswer });
      },
    });
  }

  get count(): number {
    return this.#peers.size;
  }

  findKey(name: string): TsigKey | undefined {
    return this.#peers.get(name)?.key;
  }

  answer(request: TransferRequest): AnswerStream {
    return this.#transfers.answer(request);
  }

  /**
   * Resolves when the peers' keys are known or cannot be read yet, so that a valid key is not rejected at the start.
   */
  async start(): Promise<void> {
    if (this.#options.keyring === undefined) return;
    this.#working = this.#work();
    await withinTime(this.#working, FIRST_READING_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#reportTimer);
    this.#notifier.stop();
    const { database, statusDatabase } = this.#options;
    await Promise.all([database.close(), statusDatabase?.close()]);
    await this.#working;
  }

  /** Called when answers come from a new version of a zone. */
  zoneChanged(name: string): void {
    if (this.#peers.size === 0 || !this.#options.isNotifying) return;
    this.#changed.add(name);
    if (this.#changed.size === 1) this.#schedule(GATHER_MS);
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#working = this.#working.then(() => this.#work());
    }, delayMs);
  }

  async #work(): Promise<void> {
    try {
      await this.#tellOfChanges();
      await this.#readPeers();
      await this.#tellPeers();
      this.#isFailing = false;
    } catch (error) {
      const { log } = this.#options;
      if (!this.#isFailing && !this.#isStopped) log.warn({ err: error }, 'peers cannot be read');
      this.#isFailing = true;
    }
    const isMore = this.#changed.size > 0 && !this.#isFailing;
    this.#schedule(isMore ? GATHER_MS : this.#options.pollIntervalMs);
  }

  async #tellOfChanges(): Promise<void> {
    if (this.#changed.size === 0) return;
    const names = [...this.#changed];
    const found = await this.#read((db) => readPeersOfZones(db, names));
    for (const name of names) this.#changed.delete(name);
    const byId = new Map([...this.#peers.values()].map((peer) => [peer.id, peer]));
    for (const { name, peerId } of found) {
      const peer = byId.get(peerId);
      if (peer !== undefined) this.#notifier.tell(peer, name);
    }
  }

  async #readPeers(): Promise<void> {
    const { keyring, log, onKeys } = this.#options;
    const version = await this.#read(readPeersVersion);
    if (version === this.#version) return;
    const rows = keyring === undefined ? [] : await this.#read(readPeers);
    this.#peers = keyring === undefined ? new Map() : openPeers(rows, keyring, log);
    onKeys([...this.#peers.values()].map(({ key }) => key));
    await this.#putCatalogs();
    this.#version = version;
  }

  /**
   * Notifies peers of the zones that they do not have, if the peers changed or must be notified again. At the start
   * these are all peers: they may have missed changes while this server was down, and notifications that it was
   * sending.
   */
  async #tellPeers(): Promise<void> {
    const [peers, before] = [this.#peers, this.#told];
    if (peers === before || !this.#options.isNotifying || !this.#options.isLoaded()) return;
    for (const [keyName, peer] of peers) {
      if (peer.updatedAt === before.get(keyName)?.updatedAt || peer.notify.length === 0) continue;
      const names = await this.#read((db) => readZonesBehind(db, peer.id, MAX_TOLD_AGAIN));
      for (const name of names) this.#notifier.tell(peer, name);
      // This takes a long time for many peers, and further changes do not wait for it.
      await this.#tellOfChanges();
    }
    this.#told = peers;
  }

  /** Whether a peer may transfer a zone. The answer of the database takes precedence while it is available. */
  async #mayTake(peer: Peer, zone: string): Promise<boolean> {
    if (isCatalogName(zone)) return zone === catalogName(peer.id);
    const key = `${peer.id} ${zone}`;
    try {
      const isAllowed = await this.#read((db) => mayPeerTransfer(db, peer.id, zone));
      if (!isAllowed || this.#allowed.size >= MAX_REMEMBERED) this.#allowed.delete(key);
      else this.#allowed.add(key);
      return isAllowed;
    } catch {
      return this.#allowed.has(key);
    }
  }

  async #read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const reading = this.#reading.then(() => this.#options.database.run(work));
    this.#reading = reading.catch(() => undefined);
    return await reading;
  }

  async #putCatalogs(): Promise<void> {
    const { image } = this.#options;
    const wanted = new Map<string, Peer>();
    for (const peer of this.#peers.values()) {
      if (peer.catalogSerial !== undefined) wanted.set(catalogName(peer.id), peer);
    }
    for (const apex of image.listApexes()) {
      const name = wireToName(apex);
      if (!isCatalogName(name) || wanted.has(name)) continue;
      image.remove(apex);
      this.differences.forget(apex);
    }
    for (const [name, peer] of wanted) await this.#putCatalog(name, peer);
  }

  async #putCatalog(name: string, peer: Peer): Promise<void> {
    const { image, isNotifying } = this.#options;
    const serial = peer.catalogSerial ?? 0;
    const apex = nameToWire(name);
    if (image.zoneSerial(apex) === serial) return;
    const members = await this.#read((db) => readCatalog(db, peer.id));
    const slices = new TimeSlices();
    const block = await slices.run(compileZoneInParts(buildCatalog(name, serial, members)));
    await slices.run(this.differences.record(apex, image.zoneBlock(apex), block));
    await slices.run(image.putInSteps(block));
    if (isNotifying) this.#notifier.tell(peer, name);
  }

  /** Merges the reports about one zone of a peer into one row. */
  #report(report: PeerReport): void {
    if (isCatalogName(report.zone) || this.#reports.size >= MAX_REPORTS) return;
    const key = `${report.peerId} ${report.zone}`;
    this.#reports.set(key, { ...this.#reports.get(key), ...report });
    if (this.#reports.size === 1 && !this.#isSaving) this.#scheduleSaving();
  }

  #scheduleSaving(): void {
    if (this.#isStopped) return;
    this.#reportTimer = setTimeout(() => {
      void this.#saveReports();
    }, REPORT_INTERVAL_MS);
  }

  /** Writes the reports. If this fails, they are lost: the next transfer reports more. */
  async #saveReports(): Promise<void> {
    const { statusDatabase, log } = this.#options;
    const reports = [...this.#reports.values()];
    this.#reports.clear();
    this.#isSaving = true;
    try {
      const save = (db: Database) => savePeerReports(db, reports);
      await (statusDatabase === undefined ? this.#read(save) : statusDatabase.run(save));
    } catch (error) {
      if (!this.#isStopped)
        log.warn({ err: error }, 'the transfer status of peers cannot be written');
    }
    this.#isSaving = false;
    if (this.#reports.size > 0) this.#scheduleSaving();
  }
}

/** TTL of catalog records. Resolvers do not use catalogs, so it is 0 (RFC 9432 s4.1). */
const TTL = 0;

/**
 * Builds the catalog of a peer's zones (RFC 9432 s4). The label of a member is the zone's id: a zone that is deleted
 * and created again has another id, and a consumer starts again with it (s5.4).
 */
function buildCatalog(
  name: string,
  serial: number,
  members: readonly { readonly id: string; readonly name: string }[],
): ZoneContent {
  const apex = nameToWire(name);
  const soa = `invalid. invalid. ${serial} 60 60 1209600 0`;
  const record = (owner: Uint8Array, type: 'SOA' | 'NS' | 'TXT' | 'PTR', data: string) => ({
    ...{ owner, type: RR_TYPE[type], ttl: TTL, rdata: rdataToWire(type, data, null) },
  });
  return {
    apex,
    serial,
    records: [
      record(apex, 'SOA', soa),
      record(apex, 'NS', 'invalid.'),
      record(nameToWire(`version.${name}`), 'TXT', '"2"'),
      ...members.map(({ id, name: member }) =>
        record(nameToWire(`${id.replaceAll('-', '')}.zones.${name}`), 'PTR', member),
      ),
    ],
  };
}
