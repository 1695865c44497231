import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RCODE, type ReadMessage } from '@zonewright/dns-records';
import {
  type AuthorizedClient,
  BatchQueues,
  BoundedMap,
  FairSlots,
  type FairSlotsOptions,
  type Logger,
} from '@zonewright/service-kit';
import type { RelayCounters, RelayedKind } from '../stats/relay-counters.js';
import { type ReceivedMessage, refusalOf } from './received-message.js';
import { RANK, type Sender, type Senders, zoneOf } from './senders.js';
import { WrongSignatures } from './wrong-signatures.js';

interface QueueOptions {
  /** Client of the DNS API. */
  readonly client: Pick<AuthorizedClient, 'call'>;
  readonly kind: RelayedKind;
  readonly senders: Senders;
  readonly counters: RelayCounters;
  /** Called before a response that reports a new serial of a zone. */
  readonly onPublished: (published: Published) => Promise<void>;
  readonly log: Logger;
}

export interface Published {
  readonly zone: string;
  readonly serial: number;
}

/** Response of the DNS API. */
interface RelayedAnswer {
  readonly message: string;
  readonly published?: Published | null;
  /** Tenant of the zone. Null if this platform does not have the zone. */
  readonly tenantId?: string | null;
}

/** Response to one of several messages. Null if it cannot be answered now. */
type RelayedTogether = RelayedAnswer | { readonly message: null };

/** A message for the DNS API. */
interface Call {
  readonly body: object;
  readonly path: string;
  /** Deadline of the client's request, by performance.now(). */
  readonly until: number;
}

/** Slot of a message, and the messages with which it may share a call. */
interface Turn {
  readonly owner: string;
  readonly rank: number;
  /** Messages with the same key share a call. Undefined if the message needs a separate call. */
  readonly place: string | undefined;
}

/** Operations of the DNS API that take the messages. */
const PATHS: Readonly<Record<RelayedKind | 'long-update', string>> = {
  update: 'internal/v1/updates',
  'long-update': 'internal/v1/long-updates',
  query: 'internal/v1/signed-queries',
  transfer: 'internal/v1/transfers',
  notify: 'internal/v1/notifies',
};

/**
 * Maximum number of messages that wait or are being relayed. A third is reserved for known senders, and unknown ones
 * can use a quarter.
 */
const ROOM: FairSlotsOptions = { total: 512, perOwner: 64, laterRanks: [352, 128] };
/**
 * Maximum number of messages per second from unknown senders. The identity service must search for the key of each
 * message, which takes more CPU time than an update of a known sender.
 */
const RATE: FairSlotsOptions = { total: Infinity, laterRanks: [400, 100] };
/** Maximum number of concurrent calls. Their owner is the tenant of the zone; a tenant has at most half of them. */
const CALLS: FairSlotsOptions = {
  total: 32,
  laterRanks: [20, 4],
  queue: { perOwner: Infinity, waitMs: 10_000 },
};

const QUERIES = { room: ROOM, rate: RATE, calls: { ...CALLS, total: 16, laterRanks: [10, 3] } };

const LIMITS: Readonly<
  Record<RelayedKind, Readonly<Record<'room' | 'rate' | 'calls', FairSlotsOptions>>>
> = {
  update: { room: ROOM, rate: RATE, calls: CALLS },
  query: QUERIES,
  transfer: QUERIES,
  notify: {
    room: { total: 2_048, perOwner: 64, laterRanks: [1_536, 1_024] },
    // Finding the primaries of a zone is cheap, and a known primary repeats a NOTIFY without a response (RFC 1996
    // s3.6).
    rate: { total: Infinity, perOwner: 200, laterRanks: [1_500, 1_000] },
    calls: { ...CALLS, total: 8, laterRanks: [6, 3] },
  },
};
/** Maximum number of NOTIFY requests from a known primary for one zone in a second. */
const NOTIFIES_OF_PRIMARY: FairSlotsOptions = { total: Infinity, perOwner: 5 };

/**
 * Limits of batches: one call per zone at a time, and messages that arrive in the meantime share the next call. Two
 * concurrent calls would each be half as large and cost as much.
 */
const UPDATES_TOGETHER = { atOnce: 1, most: 16 };
/** NOTIFY requests of all zones share a call, since one statement finds whether they come from primaries. */
const NOTIFIES_TOGETHER = { atOnce: 2, most: 64 };
/** Size above which a message gets a separate call. */
const MAX_OCTETS_TOGETHER = 2_048;

/** Time limit of a message. After that, clients repeat it or query another server. */
const DEADLINE_MS = 2_000;
/** Time limit of a message with hundreds of updates. It arrives over TCP, where clients wait longer. */
export const LONG_DEADLINE_MS = 10_000;
/** Time for which a repeated message gets the same response. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;
const MAX_TENANTS = 20_000;
const SECOND_MS = 1_000;

/**
 * Relays messages of one kind to the DNS API, each once. Senders, zones and tenants share the slots, known senders
 * first. Each kind has a separate queue, so that a flood of one kind does not delay the others.
 */
export class MessageQueue {
  readonly #options: QueueOptions;
  readonly #room: FairSlots;
  readonly #rate: FairSlots;
  readonly #rateOfKnown = new FairSlots(NOTIFIES_OF_PRIMARY);
  readonly #calls: FairSlots;
  readonly #wrong = new WrongSignatures();
  readonly #together = new BatchQueues();
  /** Responses by message, including those in progress, for unknown and for other senders. */
  readonly #kept = { unknown: keptAnswers(), others: keptAnswers() };
  /** Tenants of zones, as reported by the DNS API. */
  readonly #tenants = new BoundedMap<string, string>(MAX_TENANTS);

  constructor(options: QueueOptions) {
    this.#options = options;
    const { room, rate, calls } = LIMITS[options.kind];
    this.#room = new FairSlots(room);
    this.#rate = new FairSlots(rate);
    this.#calls = new FairSlots(calls);
  }

  /** Returns undefined if the message gets no response. */
  async answer(received: ReceivedMessage, message: ReadMessage): Promise<Uint8Array | undefined> {
    const key = createHash('sha256').update(received.octets).digest('base64');
    const { kind, counters, senders } = this.#options;
    // The DNS API must see each copy of a request for a transfer.
    const kept =
      kind === 'transfer' ? undefined : (this.#kept.others.get(key) ?? this.#kept.unknown.get(key));
    if (kept !== undefined) {
      counters.count(kind, 'repeated');
      return (await kept) ?? refusalOf(message, RCODE.SERVFAIL);
    }
    const sender = senders.identify(kind, received, message);
    if (!this.#admit(received, sender)) {
      counters.count(kind, 'dropped');
      // Over UDP no response is sent, because it could go to the victim of a forged address.
      return received.transport === 'tcp' ? refusalOf(message, RCODE.SERVFAIL) : undefined;
    }
    const startedAt = performance.now();
    const relaying = this.#relay(received, sender, zoneOf(message));
    const answers = sender.rank === RANK.UNKNOWN ? this.#kept.unknown : this.#kept.others;
    answers.set(key, relaying);
    const forget = setTimeout(() => answers.delete(key), KEPT_MS).unref();
    const answer = await relaying;
    counters.count(kind, answer === undefined ? 'failed' : 'answered');
    counters.time(kind, (performance.now() - startedAt) / 1_000);
    if (answer !== undefined) return answer;
    // A retry of the message may succeed.
    clearTimeout(forget);
    answers.delete(key);
    return refusalOf(message, RCODE.SERVFAIL);
  }

  /** Returns the tenant of a zone, if the DNS API has reported it. */
  tenantOf(zone: string): string | undefined {
    return this.#tenants.get(zone);
  }

  /** Reserves room for a message, which #relay() releases. The sender's failed signatures are checked first. */
  #admit({ transport }: ReceivedMessage, sender: Sender): boolean {
    const { owner, rank } = sender;
    if (this.#wrong.hasTooMany(transport, sender) || !this.#room.hasRoom(owner, { rank }))
      return false;
    return this.#isInRate(sender) && this.#room.tryEnter(owner, { rank });
  }

  #isInRate({ owner, rank }: Sender): boolean {
    if (rank !== RANK.KNOWN) return this.#rate.tryEnterFor(SECOND_MS, owner, { rank });
    return this.#options.kind !== 'notify' || this.#rateOfKnown.tryEnterFor(SECOND_MS, owner);
  }

  /** Returns undefined if the message cannot be relayed now, or its result is unknown. */
  async #relay(
    received: ReceivedMessage,
    sender: Sender,
    zone: string,
  ): Promise<Uint8Array | undefined> {
    const { onPublished, log, kind, senders } = this.#options;
    const { owner, rank } = sender;
    try {
      const relayed = await this.#call(received, sender, zone).finally(() => {
        this.#room.leave(owner, { rank });
      });
      if (relayed.tenantId) this.#tenants.set(zone, relayed.tenantId);
      if (relayed.published) await onPublished(relayed.published);
      const answer = Buffer.from(relayed.message, 'base64');
      const isRight = this.#wrong.look(received.transport, sender, answer);
      const isHeard = kind === 'notify' && ((answer[3] ?? 0) & 0xf) === RCODE.NOERROR;
      if (isRight || isHeard) senders.remember(sender);
      return answer;
    } catch (error) {
      // Unknown senders of a flood must not fill the log.
      const level = rank === RANK.UNKNOWN ? 'debug' : 'warn';
      log[level]({ err: error, kind }, 'a message could not be relayed: SERVFAIL');
      return undefined;
    }
  }

  async #call(
    { octets, answer, source, transport }: ReceivedMessage,
    sender: Sender,
    zone: string,
  ): Promise<RelayedAnswer> {
    const { kind } = this.#options;
    const isShort = octets.length <= MAX_OCTETS_TOGETHER;
    const isLong = kind === 'update' && transport === 'tcp' && !isShort;
    const body = {
      message: toBase64(octets),
      ...(answer === undefined ? {} : { answer: toBase64(answer) }),
      source,
      transport,
    };
    const until = performance.now() + (isLong ? LONG_DEADLINE_MS : DEADLINE_MS);
    const call = { body, until, path: PATHS[isLong ? 'long-update' : kind] };
    const answered = await Promise.race([
      this.#inTurn(call, this.#turnOf(sender, zone, isShort)),
      delay(Math.max(0, until - performance.now()), undefined, { ref: false }),
    ]);
    if (answered === undefined) throw new Error('The DNS API did not respond in time.');
    return answered;
  }

  /**
   * Returns the turn of a message. A call takes a slot only when its zone has a turn, so messages that wait for a zone
   * do not delay others.
   */
  #turnOf({ rank, owner }: Sender, zone: string, isShort: boolean): Turn {
    const { kind } = this.#options;
    if (kind === 'query' || kind === 'transfer') return { rank, owner, place: undefined };
    if (kind === 'notify') return { rank, owner: 'all', place: isShort ? `${rank}` : undefined };
    const place = isShort ? `${rank} ${zone}` : undefined;
    return { rank, owner: this.#tenants.get(zone) ?? zone, place };
  }

  async #inTurn(call: Call, { place, owner, rank }: Turn): Promise<RelayedAnswer | undefined> {
    const inSlot = <T>(run: () => Promise<T>) => this.#calls.run(owner, run, { rank });
    if (place === undefined) return await inSlot(() => this.#callAlone(call));
    const together = this.#options.kind === 'notify' ? NOTIFIES_TOGETHER : UPDATES_TOGETHER;
    const run = (calls: readonly [Call, ...Call[]]) => inSlot(() => this.#callTogether(calls));
    return await this.#together.do(place, call, { ...together, run });
  }

  async #callAlone(call: Call): Promise<RelayedAnswer> {
    const { status, body: answered } = await this.#post(call);
    if (status !== 200) throw new Error(`The DNS API responded with ${status}.`);
    return answered as RelayedAnswer;
  }

  async #callTogether(
    calls: readonly [Call, ...Call[]],
  ): Promise<readonly (RelayedAnswer | undefined)[]> {
    if (calls.length === 1) return [await this.#callAlone(calls[0])];
    const until = Math.max(...calls.map((each) => each.until));
    const body = { messages: calls.map((each) => each.body) };
    const answered = await this.#post({ body, until, path: calls[0].path });
    if (answered.status !== 200) throw new Error(`The DNS API responded with ${answered.status}.`);
    const { answers } = answered.body as { readonly answers: readonly RelayedTogether[] };
    return answers.map((each) => (each.message === null ? undefined : each));
  }

  async #post({ body, until, path }: Call) {
    const timeoutMs = Math.ceil(until - performance.now());
    if (timeoutMs <= 0) throw new Error('Too many messages are waiting.');
    return await this.#options.client.call({ method: 'POST', path, body, timeoutMs });
  }
}

function keptAnswers() {
  return new BoundedMap<string, Promise<Uint8Array | undefined>>(MAX_KEPT);
}

export function toBase64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}
