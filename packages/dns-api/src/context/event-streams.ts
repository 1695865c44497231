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
  /** For what clients have missed. */
  readonly db: Database;
  /** For connections of its own. */
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
  /** Last position that the client has; undefined if it wants new events only. */
  readonly since: EventPosition | undefined;
  readonly onClosed: (callback: () => void) => void;
}

/** Event in two forms: for callers with access to all of it, and for those without. */
interface Told {
  readonly step: ZoneChangeset;
  readonly all: string;
  readonly serial: string;
}

/** Limit of all tenants; one tenant gets half (FairSlots). Each stream is a connection and some 20 KB. */
const MAX_STREAMS = 5_000;
const TICK_MS = 250;
/** Number of streams validated at a time. The tokens of many may end together, as all do when roles change. */
const VALIDATED_AT_ONCE = 50;
/** Maximum number of events kept for a client that gets missed ones first. If more happens meanwhile, it must reconnect. */
const MAX_KEPT = 1_000;
/** Time for which publication reports are collected, to be sent together. */
const PUBLICATION_MS = 50;
/** When this process ends another takes over. */
const RETRY_MS = 1_000;

/**
 * All clients that listen to what happens to the domains of their tenants. One reading of the database serves all, what happened
 * is rendered once and written once to each, in slices, and one timer looks after all of them.
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #feed: ChangeFeed;
  readonly #slots = new FairSlots({ total: MAX_STREAMS });
  readonly #byTenant = new Map<string, Map<EventStream, Told[]>>();
  /** How far changes have come that is not told yet: the latest of each. */
  readonly #publications = new Map<string, Told>();
  #publicationTimer: NodeJS.Timeout | undefined;
  /** One thing after the other, so that each client has all in the same order. */
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

  /** Clients are sent away, to come again elsewhere. */
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
   * Takes one more: from now on all that happens is kept for it.
   *
   * @returns what to do with its connection
   * @throws Overload when there are too many, of its tenant or of all; ServiceError when the token is refused
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
    // Its client is gone: nobody would remove it.
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

  /** Tells one what it has missed, as fast as it reads, and then all that was kept for it meanwhile. */
  async #serve(
    tenantId: string,
    stream: EventStream,
    { client, missed }: { readonly client: Writable; readonly missed: FeedPart },
  ): Promise<void> {
    await tellMissed(stream, client, missed);
    const kept = this.#byTenant.get(tenantId)?.get(stream);
    // Its client is gone.
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

  /** `giveWay`: waited for between slices. */
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

  /** Each after the change that it is of, and changes that come meanwhile go first. */
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

  /** @returns whether there are any */
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
  // Not before: who is cut off on the way begins there again.
  client.write((isWhole ? '' : renderGap()) + renderPosition(position));
}

/** The last step of each zone: with it those before it are published. */
function lastSteps(steps: readonly ZoneChangeset[]): Iterable<ZoneChangeset> {
  return new Map(steps.map((step) => [step.zoneId, step])).values();
}

/** Until a client has taken what waits for it, or is gone. */
function untilTaken(client: Writable): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      client.off('drain', end).off('close', end);
      resolve();
    };
    client.on('drain', end).on('close', end);
  });
}
