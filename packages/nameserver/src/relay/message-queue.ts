import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { answerHeader, RCODE, type ReadMessage, writeMessage } from '@zonewright/dns-records';
import {
  type AuthorizedClient,
  BatchQueues,
  BoundedMap,
  FairSlots,
  type FairSlotsOptions,
  type Logger,
} from '@zonewright/service-kit';
import type { RelayCounters, RelayedKind } from '../stats/relay-counters.js';
import type { ReceivedMessage } from './received-message.js';
import { RANK, type Sender, type Senders, zoneOf } from './senders.js';
import { WrongSignatures } from './wrong-signatures.js';

interface QueueOptions {
  /** Client of the DNS API. */
  readonly client: Pick<AuthorizedClient, 'call'>;
  readonly kind: RelayedKind;
  readonly senders: Senders;
  readonly counters: RelayCounters;
  /** Called before an answer is given that says that a zone has a new serial. */
  readonly onPublished: (published: Published) => Promise<void>;
  readonly log: Logger;
}

export interface Published {
  readonly zone: string;
  readonly serial: number;
}

/** Answer of the DNS API. */
interface RelayedAnswer {
  readonly message: string;
  readonly published?: Published | null;
  /** Tenant of the zone; null if it has none here. */
  readonly tenantId?: string | null;
}

/** Answer to one of several messages; null if it cannot be given now. */
type RelayedTogether = RelayedAnswer | { readonly message: null };

/** A message for the DNS API. */
interface Call {
  readonly body: object;
  readonly path: string;
  /** The end of the wait of its client, by performance.now(). */
  readonly until: number;
}

/** Call slot of a message, and the calls that it may share. */
interface Turn {
  readonly owner: string;
  readonly rank: number;
  /** Messages of one place go together; undefined if the message goes alone. */
  readonly place: string | undefined;
}

/** Operations of the DNS API that take the messages. */
const PATHS: Readonly<Record<RelayedKind | 'long-update', string>> = {
  update: 'internal/v1/updates',
  'long-update': 'internal/v1/long-updates',
  query: 'internal/v1/signed-queries',
  notify: 'internal/v1/notifies',
};

/** Messages that wait or are under way. A third of the space is for known senders alone, and the unknown have a quarter. */
const ROOM: FairSlotsOptions = { total: 512, perOwner: 64, laterRanks: [352, 128] };
/** Messages a second of senders that are not known: each costs the identity service a look for its key. */
const RATE: FairSlotsOptions = { total: Infinity, laterRanks: [400, 200] };
/** Calls under way. The owner is the tenant of the zone: one tenant has half of them at most. */
const CALLS: FairSlotsOptions = {
  total: 32,
  laterRanks: [20, 4],
  queue: { perOwner: Infinity, waitMs: 10_000 },
};

const LIMITS: Readonly<
  Record<RelayedKind, Readonly<Record<'room' | 'rate' | 'calls', FairSlotsOptions>>>
> = {
  update: { room: ROOM, rate: RATE, calls: CALLS },
  query: { room: ROOM, rate: RATE, calls: { ...CALLS, total: 16, laterRanks: [10, 3] } },
  notify: {
    room: { total: 2_048, perOwner: 64, laterRanks: [1_536, 1_024] },
    // A look for the primaries of a zone is cheap, and a known primary repeats what nobody answers (RFC 1996 s3.6).
    rate: { total: Infinity, perOwner: 200, laterRanks: [1_500, 1_000] },
    calls: { ...CALLS, total: 8, laterRanks: [6, 3] },
  },
};
/** NOTIFY of a known primary for one zone and second. */
const NOTIFIES_OF_PRIMARY: FairSlotsOptions = { total: Infinity, perOwner: 5 };

/** One call of a zone at a time: what comes meanwhile goes together. Two would each be half as large, and cost as much. */
const UPDATES_TOGETHER = { atOnce: 1, most: 16 };
/** NOTIFY of all zones goes together: one statement finds whether they are from primaries. */
const NOTIFIES_TOGETHER = { atOnce: 2, most: 64 };
/** A longer message goes alone. */
const MAX_OCTETS_TOGETHER = 2_048;

/** A client that hears nothing for longer asks again, or asks another server. */
const DEADLINE_MS = 2_000;
/** A message of hundreds of updates takes longer, and its client waits longer: it comes over TCP. */
const LONG_DEADLINE_MS = 10_000;
/** Clients repeat a message for so long. They get the same answer. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;
const MAX_TENANTS = 20_000;
const SECOND_MS = 1_000;

/**
 * Messages of one kind on their way to the DNS API and back, each once. Senders, zones and tenants share the slots, known senders before
 * unknown ones. Each kind has a queue of its own, so that a flood of one kind does not delay the others.
 */
export class MessageQueue {
  readonly #options: QueueOptions;
  readonly #room: FairSlots;
  readonly #rate: FairSlots;
  readonly #rateOfKnown = new FairSlots(NOTIFIES_OF_PRIMARY);
  readonly #calls: FairSlots;
  readonly #wrong = new WrongSignatures();
  readonly #together = new BatchQueues();
  /** Answers by their messages, also those under way: of senders that are unknown, and of others. */
  readonly #kept = { unknown: keptAnswers(), others: keptAnswers() };
  /** Tenants of zones, as the DNS API told them. */
  readonly #tenants = new BoundedMap<string, string>(MAX_TENANTS);

  constructor(options: QueueOptions) {
    this.#options = options;
    const { room, rate, calls } = LIMITS[options.kind];
    this.#room = new FairSlots(room);
    this.#rate = new FairSlots(rate);
    this.#calls = new FairSlots(calls);
  }

  /** Returns undefined if the message gets no answer. */
  async answer(received: ReceivedMessage, message: ReadMessage): Promise<Uint8Array | undefined> {
    const key = createHash('sha256').update(received.octets).digest('base64');
    const kept = this.#kept.others.get(key) ?? this.#kept.unknown.get(key);
    const { kind, counters, senders } = this.#options;
    if (kept !== undefined) {
      counters.count(kind, 'repeated');
      return (await kept) ?? answerOf(message, RCODE.SERVFAIL);
    }
    const sender = senders.identify(kind, received, message);
    if (!this.#admit(received, sender)) {
      counters.count(kind, 'dropped');
      // Over UDP silence costs a flood nothing, and its victim neither.
      return received.transport === 'tcp' ? answerOf(message, RCODE.SERVFAIL) : undefined;
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
    // A repetition may succeed.
    clearTimeout(forget);
    answers.delete(key);
    return answerOf(message, RCODE.SERVFAIL);
  }

  /** Takes room for a message, which #relay() leaves. The sender's failed signatures are checked first. */
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

  /** Returns undefined if it cannot be done now, or nobody knows whether it was done. */
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
      log.warn({ err: error, kind }, 'a message could not be relayed: SERVFAIL');
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
    if (answered === undefined) throw new Error('The DNS API could not do it in time.');
    return answered;
  }

  /** A call has a slot only once it is the turn of its zone: what waits for a zone delays no other. */
  #turnOf({ rank, owner }: Sender, zone: string, isShort: boolean): Turn {
    const { kind } = this.#options;
    if (kind === 'query') return { rank, owner, place: undefined };
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
    if (status !== 200) throw new Error(`The DNS API answered ${status}.`);
    return answered as RelayedAnswer;
  }

  async #callTogether(
    calls: readonly [Call, ...Call[]],
  ): Promise<readonly (RelayedAnswer | undefined)[]> {
    if (calls.length === 1) return [await this.#callAlone(calls[0])];
    const until = Math.max(...calls.map((each) => each.until));
    const body = { messages: calls.map((each) => each.body) };
    const answered = await this.#post({ body, until, path: calls[0].path });
    if (answered.status !== 200) throw new Error(`The DNS API answered ${answered.status}.`);
    const { answers } = answered.body as { readonly answers: readonly RelayedTogether[] };
    return answers.map((each) => (each.message === null ? undefined : each));
  }

  async #post({ body, until, path }: Call) {
    const timeoutMs = Math.ceil(until - performance.now());
    if (timeoutMs <= 0) throw new Error('Too many messages wait.');
    return await this.#options.client.call({ method: 'POST', path, body, timeoutMs });
  }
}

function keptAnswers() {
  return new BoundedMap<string, Promise<Uint8Array | undefined>>(MAX_KEPT);
}

function toBase64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}

/** An answer that is made here, without a signature. */
export function answerOf(message: ReadMessage, rcode: number): Uint8Array {
  const { questions } = message;
  return writeMessage({ ...answerHeader(message, rcode), questions });
}
