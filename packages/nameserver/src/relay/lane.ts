import { type ReadMessage, RCODE } from '@zonewright/dns-records';
import {
  type AuthorizedClient,
  BoundedMap,
  type Logger,
  BatchQueues,
  sourceNetwork,
} from '@zonewright/service-kit';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RelayCounters, RelayedKind } from '../stats/relay-counters.js';
import { answerOf } from './answer-of.js';
import { type Place, Places } from './places.js';
import type { ReceivedMessage } from './received-message.js';
import { WrongSignatures } from './wrong-signatures.js';

interface LaneOptions {
  /** Of the DNS API. */
  readonly client: Pick<AuthorizedClient, 'call'>;
  readonly kind: RelayedKind;
  readonly counters: RelayCounters;
  /** Called before an answer is given that says that a zone has a new serial. */
  readonly onPublished: (published: Published) => Promise<void>;
  readonly log: Logger;
}

export interface Published {
  readonly zone: string;
  readonly serial: number;
}

/** What the DNS API answers. */
interface RelayedAnswer {
  readonly message: string;
  readonly published?: Published | null;
}

/** To one of several messages; null: it cannot be done now. */
type RelayedTogether = RelayedAnswer | { readonly message: null };

/** A message for the DNS API. */
interface Call {
  readonly body: object;
  readonly path: string;
  /** When nobody waits for it any more. */
  readonly until: number;
}

/** Operations of the DNS API that take the messages. */
const PATHS: Readonly<Record<RelayedKind | 'long-update', string>> = {
  update: 'internal/v1/updates',
  'long-update': 'internal/v1/long-updates',
  query: 'internal/v1/signed-queries',
  notify: 'internal/v1/notifies',
};

/**
 * One call of a zone at a time: what comes meanwhile goes together. Two would each be half as large, and cost as much. Whoever holds up a zone, say by a long import, holds up no other.
 */
const TOGETHER = { atOnce: 1, most: 16 };
/** A longer message goes alone. */
const MAX_OCTETS_TOGETHER = 2_048;

/** A client that hears nothing for longer asks again, or asks another server. */
const DEADLINE_MS = 2_000;
/** A message of hundreds of updates takes longer, and its client waits longer: it comes over TCP. */
const LONG_DEADLINE_MS = 10_000;
/** Who sends a message again is told the same, as long as clients do so. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;

/**
 * Messages of one kind on their way to the DNS API and back: so many at a time, so many of one network, each once. Kinds have lanes of
 * their own, so that a flood of one is none of the others.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #places = new Places();
  readonly #wrong = new WrongSignatures();
  readonly #zones = new BatchQueues();
  /** Answers by what they answer, those that are on their way among them. */
  readonly #kept = new BoundedMap<string, Promise<Uint8Array | undefined>>(MAX_KEPT);

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Undefined: it gets none. */
  async answer(received: ReceivedMessage, message: ReadMessage): Promise<Uint8Array | undefined> {
    const key = createHash('sha256').update(received.octets).digest('base64');
    const kept = this.#kept.get(key);
    const { kind, counters } = this.#options;
    if (kept !== undefined) {
      counters.count(kind, 'repeated');
      return (await kept) ?? answerOf(message, RCODE.SERVFAIL);
    }
    const network = sourceNetwork(received.source);
    const place = this.#wrong.hasTooMany(received) ? undefined : this.#places.take(network);
    if (place === undefined) {
      counters.count(kind, 'dropped');
      // Over UDP silence costs a flood nothing, and its victim neither.
      return received.transport === 'tcp' ? answerOf(message, RCODE.SERVFAIL) : undefined;
    }
    const startedAt = performance.now();
    const relaying = this.#relay(received, place, zoneOf(message));
    this.#keep(key, relaying);
    const answer = await relaying;
    counters.count(kind, answer === undefined ? 'failed' : 'answered');
    counters.time(kind, (performance.now() - startedAt) / 1_000);
    if (answer !== undefined) return answer;
    // Whoever repeats it may have more luck.
    this.#kept.delete(key);
    return answerOf(message, RCODE.SERVFAIL);
  }

  #keep(key: string, answer: Promise<Uint8Array | undefined>): void {
    this.#kept.set(key, answer);
    setTimeout(() => this.#kept.delete(key), KEPT_MS).unref();
  }

  /** Undefined: it cannot be done now, or nobody knows whether it was. */
  async #relay(
    received: ReceivedMessage,
    place: Place,
    zone: string,
  ): Promise<Uint8Array | undefined> {
    const { onPublished, log, kind } = this.#options;
    try {
      const relayed = await this.#call(received, place.turn, zone).finally(place.giveBack);
      if (relayed.published) await onPublished(relayed.published);
      const answer = Buffer.from(relayed.message, 'base64');
      this.#wrong.look(received, answer);
      return answer;
    } catch (error) {
      log.warn({ err: error, kind }, 'a message could not be relayed: SERVFAIL');
      return undefined;
    }
  }

  async #call(
    { octets, answer, source, transport }: ReceivedMessage,
    turn: Promise<void>,
    zone: string,
  ): Promise<RelayedAnswer> {
    const { kind } = this.#options;
    const isLong = kind === 'update' && transport === 'tcp' && octets.length > MAX_OCTETS_TOGETHER;
    const deadlineMs = isLong ? LONG_DEADLINE_MS : DEADLINE_MS;
    const until = performance.now() + deadlineMs;
    await Promise.race([turn, delay(deadlineMs, undefined, { ref: false })]);
    const body = {
      message: toBase64(octets),
      ...(answer === undefined ? {} : { answer: toBase64(answer) }),
      source,
      transport,
    };
    const call = { body, until, path: PATHS[isLong ? 'long-update' : kind] };
    if (kind !== 'update' || octets.length > MAX_OCTETS_TOGETHER) {
      return await this.#callAlone(call);
    }
    const answered = await Promise.race([
      this.#zones.do(zone, call, { ...TOGETHER, run: (calls) => this.#callTogether(calls) }),
      delay(Math.max(0, until - performance.now()), undefined, { ref: false }),
    ]);
    if (answered === undefined) throw new Error('The DNS API could not do it in time.');
    return answered;
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
    // A DNS API of a version before takes one at a time.
    if (answered.status === 400)
      return await Promise.all(calls.map((each) => this.#callAlone(each)));
    if (answered.status !== 200) throw new Error(`The DNS API answered ${answered.status}.`);
    const { answers } = answered.body as { readonly answers: readonly RelayedTogether[] };
    return answers.map((each) => (each.message === null ? undefined : each));
  }

  async #post({ body, until, path }: Call) {
    const { client } = this.#options;
    const timeoutMs = Math.ceil(until - performance.now());
    if (timeoutMs <= 0) throw new Error('Too many messages wait.');
    return await client.call({ method: 'POST', path, body, timeoutMs });
  }
}

function zoneOf({ questions: [zone] }: ReadMessage): string {
  return Buffer.from(zone?.name ?? [])
    .toString('latin1')
    .toLowerCase();
}

function toBase64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}
