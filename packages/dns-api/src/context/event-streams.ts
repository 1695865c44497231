import type { Writable } from 'node:stream';
import {
  ChangeFeed,
  type EventPosition,
  type FeedPart,
  isVisibleAt,
  type PublicationWatch,
  readChangesetFeed,
  type ZoneChangeset,
} from '@zonewright/zones';
import type { Database } from '@zonewright/database';
import {
  type Clock,
  FairSlots,
  forEachInSlices,
  type Logger,
  Overload,
  Ticker,
} from '@zonewright/service-kit';
import type { HeldToken } from '../access/token-validator.js';
import type { Metrics } from '../settings/metrics.js';
import { EventStream } from './event-stream.js';
import {
  renderChange,
  renderGap,
  renderPosition,
  renderPublication,
  renderRetry,
  renderSerial,
} from './render-event.js';

interface EventStreamsOptions {
  /** The database for events that clients have missed. */
  readonly db: Database;
  /** The URL for separate connections. */
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly publication: PublicationWatch;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'eventStreams' | 'eventStreamsEnded'>;
  readonly log: Logger;
}

/** Client that asks for events. */
interface Listener {
  readonly tenantId: string;
  readonly holdToken: () => Promise<HeldToken>;
  /** The last position that the client has; undefined if it wants only new events. */
  readonly since: EventPosition | undefined;
  readonly onClosed: (callback: () => void) => void;
}

/** An event in two forms: for callers with access to all of it, and for those without. */
interface Told {
  readonly step: ZoneChangeset;
  readonly all: string;
  readonly serial: string;
}

/** The limit for all tenants; one tenant gets half (FairSlots). Each stream is a connection and takes about 20 KB. */
const MAX_STREAMS = 5_000;
const TICK_MS = 250;
/**
 * The number of streams that are validated at a time. Many tokens can end together, for example when roles change.
 */
const VALIDATED_AT_ONCE = 50;
/**
 * The maximum number of events that are kept for a client while it receives missed ones. If more arrive in the
 * meantime, it must reconnect.
 */
const MAX_KEPT = 1_000;
/** Time for which publication reports are collected, to be sent together. */
const PUBLICATION_MS = 50;
/** The delay before clients reconnect. When this process ends, another one takes over. */
const RETRY_MS = 1_000;

/**
 * The streams of all clients that listen to their tenants' domains. One reading of the database serves all clients.
 * Each event is rendered once and written once to each client, in slices, and one timer checks all streams.
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #feed: ChangeFeed;
  readonly #slots = new FairSlots({ total: MAX_STREAMS });
  readonly #byTenant = new Map<string, Map<EventStream, Told[]>>();
  /** The latest publication state of each zone that has not been reported yet. */
  readonly #publications = new Map<string, Told>();
  #publicationTimer: NodeJS.Timeout | undefined;
  /** Reports run one after the other, so that each client receives them in the same order. */
  #telling: Promise<void> = Promise.resolve();
  readonly #ticker = new Ticker(TICK_MS, () => this.#tend());
  #count = 0;
  #isStopped = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#feed = new ChangeFeed({
      ...options,
      tenantIds: () => [...this.#byTenant.keys()],
      onPart: (part) => this.#enqueue(() => this.#tell(part)),
    });
  }

  start(): void {
    this.#feed.start();
  }

  /** Ends all streams, so that their clients reconnect to another process. */
  release(): void {
    this.#isStopped = true;
    for (const stream of this.#all()) stream.end('stopped', renderRetry(RETRY_MS));
  }

  async stop(): Promise<void> {
    this.release();
    clearTimeout(this.#publicationTimer);
    await this.#feed.stop();
  }

  /**
   * Admits a client. From then on, all events are kept for it.
   *
   * @returns a function that serves the client's connection
   * @throws Overload if the client's tenant has too many streams, or all tenants together have; ServiceError if the
   * token is refused
   */
  async admit(listener: Listener): Promise<(client: Writable) => void> {
    const { tenantId, holdToken, since } = listener;
    if (this.#isStopped || !this.#slots.tryEnter(tenantId)) throw new Overload();
    this.#count += 1;
    const place: { stream?: EventStream; isLeft?: true } = {};
    listener.onClosed(() => {
      place.isLeft = true;
      this.#slots.leave(tenantId);
      this.#count -= 1;
      this.#remove(tenantId, place.stream);
    });
    const held = await holdToken();
    const begin = await this.#feed.open();
    // The client has disconnected, so nothing would remove its stream later.
    if (place.isLeft) throw new Overload();
    const stream = (place.stream = new EventStream(held, holdToken));
    this.#streamsOf(tenantId).set(stream, []);
    this.#ticker.begin();
    this.#countStreams();
    const { db } = this.#options;
    const missed =
      since === undefined
        ? { position: begin, steps: [], isWhole: true }
        : await readChangesetFeed(db, since, [tenantId]);
    return (client) => {
      void this.#serve(tenantId, stream, { client, missed });
    };
  }

  #streamsOf(tenantId: string): Map<EventStream, Told[]> {
    const streams = this.#byTenant.get(tenantId) ?? new Map<EventStream, Told[]>();
    this.#byTenant.set(tenantId, streams);
    return streams;
  }

  #remove(tenantId: string, stream: EventStream | undefined): void {
    const streams = this.#byTenant.get(tenantId);
    if (stream !== undefined && streams?.delete(stream) === true) {
      this.#options.metrics.eventStreamsEnded.inc({ reason: stream.endedBy });
    }
    if (streams?.size === 0) this.#byTenant.delete(tenantId);
    this.#countStreams();
    if (this.#count === 0) this.#feed.close();
  }

  #countStreams(): void {
    let open = 0;
    for (const streams of this.#byTenant.values()) open += streams.size;
    this.#options.metrics.eventStreams.set(open);
  }

  #all(): EventStream[] {
    return [...this.#byTenant.values()].flatMap((streams) => [...streams.keys()]);
  }

  /**
   * Sends a client the events that it has missed, as fast as it reads, and then those that were kept for it in the
   * meantime.
   */
  async #serve(
    tenantId: string,
    stream: EventStream,
    { client, missed }: { readonly client: Writable; readonly missed: FeedPart },
  ): Promise<void> {
    await tellMissed(stream, client, missed);
    const kept = this.#byTenant.get(tenantId)?.get(stream);
    // The client has disconnected.
    if (kept === undefined) return;
    stream.open(client);
    if (this.#isStopped || kept.length > MAX_KEPT) {
      stream.end('stopped', renderRetry(RETRY_MS));
      return;
    }
    for (const told of kept.splice(0)) {
      if (!isVisibleAt(missed.position, told.step.transaction)) stream.send(viewed(stream, told));
    }
    for (const step of lastSteps(missed.steps)) this.#follow(step);
  }

  #enqueue(tell: () => Promise<void>): Promise<void> {
    this.#telling = this.#telling.then(tell);
    return this.#telling;
  }

  async #tell({ steps, position, isWhole }: FeedPart): Promise<void> {
    if (!isWhole) {
      const gap = renderGap() + renderPosition(position);
      await forEachInSlices(this.#all(), (stream) => {
        stream.send(gap);
      });
      return;
    }
    const byTenant = new Map<string, Told[]>();
    for (const step of steps) {
      const told = byTenant.get(step.tenantId) ?? [];
      byTenant.set(step.tenantId, told);
      told.push(toldOf(step));
      this.#follow(step);
    }
    for (const [tenantId, told] of byTenant) {
      await this.#tellTenant(tenantId, told, { end: renderPosition(position) });
    }
  }

  /** @param giveWay called between slices and awaited */
  async #tellTenant(
    tenantId: string,
    told: readonly Told[],
    { end = '', giveWay }: { readonly end?: string; readonly giveWay?: () => Promise<void> },
  ): Promise<void> {
    const all = Buffer.from(told.map((each) => each.all).join('') + end);
    const streams = this.#byTenant.get(tenantId) ?? new Map<EventStream, Told[]>();
    const tell = ([stream, kept]: readonly [EventStream, Told[]]) => {
      if (!stream.isOpen) {
        if (kept.length <= MAX_KEPT) kept.push(...told);
        return;
      }
      const seesAll = told.every(({ step }) => stream.viewOf(step.zoneName) === 'all');
      stream.send(seesAll ? all : told.map((each) => viewed(stream, each)).join('') + end);
    };
    await forEachInSlices([...streams], tell, giveWay);
  }

  #follow(step: ZoneChangeset): void {
    const change = {
      transaction: BigInt(step.transaction),
      zone: { name: step.zoneName, serial: step.serialAfter },
    };
    this.#options.publication.follow(change, step.tenantId, (servers) => {
      const text = renderPublication(step, change, servers);
      this.#publications.set(`${step.zoneId} ${step.serialAfter}`, {
        step,
        all: text,
        serial: text,
      });
      this.#tellPublicationsSoon();
    });
  }

  #tellPublicationsSoon(): void {
    this.#publicationTimer ??= setTimeout(() => void this.#tellPublications(), PUBLICATION_MS);
  }

  /** Reports publications, each after its change. Changes that arrive in the meantime are reported first. */
  async #tellPublications(): Promise<void> {
    await this.#telling;
    const byTenant = new Map<string, Told[]>();
    for (const told of this.#publications.values()) {
      const { tenantId } = told.step;
      byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), told]);
    }
    this.#publications.clear();
    for (const [tenantId, told] of byTenant) {
      await this.#tellTenant(tenantId, told, { giveWay: () => this.#telling });
    }
    this.#publicationTimer = undefined;
    if (this.#publications.size > 0 && !this.#isStopped) this.#tellPublicationsSoon();
  }

  /** @returns whether there are any streams */
  #tend(): boolean {
    const now = performance.now();
    const clock = this.#options.clock.now();
    const position = this.#feed.position;
    let text: string | undefined;
    const heartbeat = () => (text ??= position === undefined ? ':\n\n' : renderPosition(position));
    let left = VALIDATED_AT_ONCE;
    for (const stream of this.#all()) {
      if (!stream.tend(now, clock, heartbeat) || left === 0) continue;
      left -= 1;
      void stream.validate();
    }
    return this.#byTenant.size > 0;
  }
}

function toldOf(step: ZoneChangeset): Told {
  return { step, all: renderChange(step), serial: renderSerial(step) };
}

function viewed(stream: EventStream, { step, ...texts }: Told): string {
  const view = stream.viewOf(step.zoneName);
  return view === 'nothing' ? '' : texts[view];
}

async function tellMissed(
  stream: EventStream,
  client: Writable,
  { position, steps, isWhole }: FeedPart,
): Promise<void> {
  for (const step of steps) {
    if (!client.write(viewed(stream, toldOf(step)))) await untilTaken(client);
  }
  // The position is sent last, so that a client that is interrupted before it starts again from its earlier position.
  client.write((isWhole ? '' : renderGap()) + renderPosition(position));
}

/** Returns the last step of each zone; its publication includes the earlier steps. */
function lastSteps(steps: readonly ZoneChangeset[]): Iterable<ZoneChangeset> {
  return new Map(steps.map((step) => [step.zoneId, step])).values();
}

/** Waits until a client has read its pending data or has disconnected. */
function untilTaken(client: Writable): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      client.off('drain', end).off('close', end);
      resolve();
    };
    client.on('drain', end).on('close', end);
  });
}
