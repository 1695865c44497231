import {
  answerHeader,
  compareSerials,
  MessageSyntaxError,
  nameToWire,
  type ReadMessage,
  RCODE,
  readHeader,
  readMessage,
  writeMessage,
} from '@zonewright/dns-records';
import { type AuthorizedClient, type Logger, sourceNetwork } from '@zonewright/service-kit';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Place, Places } from './places.js';

/** A dynamic update (RFC 2136) as it came. */
export interface ReceivedUpdate {
  readonly octets: Uint8Array;
  /** The address that it came from. */
  readonly source: string;
  readonly transport: 'udp' | 'tcp';
}

/** The answer to an update; undefined: it gets none. */
export type AnswerUpdate = (update: ReceivedUpdate) => Promise<Uint8Array | undefined>;

interface UpdateRelayOptions {
  /** Of the DNS API. */
  readonly client: Pick<AuthorizedClient, 'call'>;
  /** The serial of the zone with this apex in the image; undefined: it is no zone here. */
  readonly zoneSerial: (apex: Uint8Array) => number | undefined;
  /** Whether all zones have been read: before that nobody knows what is a zone here. */
  readonly isLoaded: () => boolean;
  readonly log: Logger;
}

/** What the DNS API answers. */
interface RelayedAnswer {
  readonly message: string;
  readonly published: { readonly zone: string; readonly serial: number } | null;
}

/** A client that hears nothing for longer asks again, or another server. */
const DEADLINE_MS = 2_000;
/** How long an answer waits for the change to be in this server's own answers. */
const PUBLICATION_MS = 1_000;
const PUBLICATION_STEP_MS = 5;
/** Who sends a message again is told the same, as long as clients do so. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;

/**
 * Has updates done by the DNS API (ADR 0033). Nothing here knows a key: what is signed is checked, done and answered there. What
 * is no update of a zone of ours gets no further, and of what does so much at a time, so much of one network.
 */
export class UpdateRelay {
  readonly #options: UpdateRelayOptions;
  readonly #places = new Places();
  /** Answers by what they answer, those that are on their way among them. */
  readonly #kept = new Map<string, Promise<Uint8Array | undefined>>();

  constructor(options: UpdateRelayOptions) {
    this.#options = options;
  }

  readonly answer: AnswerUpdate = async (update) => {
    const message = read(update.octets);
    if (message instanceof Uint8Array) return message;
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) return answerOf(message, refusal);
    const key = createHash('sha256').update(update.octets).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined) return (await kept) ?? answerOf(message, RCODE.SERVFAIL);
    const place = this.#places.take(sourceNetwork(update.source));
    if (place === undefined) {
      // Over UDP silence costs a flood nothing, and its victim neither.
      return update.transport === 'tcp' ? answerOf(message, RCODE.SERVFAIL) : undefined;
    }
    const relaying = this.#relay(update, place);
    this.#keep(key, relaying);
    const answer = await relaying;
    if (answer !== undefined) return answer;
    // Whoever repeats it may have more luck.
    this.#kept.delete(key);
    return answerOf(message, RCODE.SERVFAIL);
  };

  /** What needs no key to be told. */
  #refusalOf({ tsig, questions: [zone] }: ReadMessage): number | undefined {
    if (tsig === undefined) return RCODE.REFUSED;
    if (zone === undefined) return RCODE.FORMERR;
    if (this.#options.zoneSerial(zone.name) !== undefined) return undefined;
    return this.#options.isLoaded() ? RCODE.NOTAUTH : RCODE.SERVFAIL;
  }

  #keep(key: string, answer: Promise<Uint8Array | undefined>): void {
    this.#kept.set(key, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    setTimeout(() => this.#kept.delete(key), KEPT_MS).unref();
  }

  /** Undefined: it cannot be done now, or nobody knows whether it was. */
  async #relay(update: ReceivedUpdate, place: Place): Promise<Uint8Array | undefined> {
    try {
      const relayed = await this.#call(update, place.turn).finally(place.giveBack);
      if (relayed.published !== null) await this.#published(relayed.published);
      return Buffer.from(relayed.message, 'base64');
    } catch (error) {
      this.#options.log.warn({ err: error }, 'an update could not be relayed: SERVFAIL');
      return undefined;
    }
  }

  async #call(
    { octets, source, transport }: ReceivedUpdate,
    turn: Promise<void>,
  ): Promise<RelayedAnswer> {
    const until = performance.now() + DEADLINE_MS;
    await Promise.race([turn, delay(DEADLINE_MS, undefined, { ref: false })]);
    const timeoutMs = until - performance.now();
    if (timeoutMs <= 0) throw new Error('Too many updates wait.');
    const { status, body } = await this.#options.client.call({
      method: 'POST',
      path: 'internal/v1/updates',
      body: { message: Buffer.from(octets).toString('base64'), source, transport },
      timeoutMs: Math.ceil(timeoutMs),
    });
    if (status !== 200) throw new Error(`The DNS API answered ${status}.`);
    return body as RelayedAnswer;
  }

  /** Whoever is told that it is done finds it here. */
  async #published({ zone, serial }: NonNullable<RelayedAnswer['published']>): Promise<void> {
    const apex = nameToWire(zone);
    const until = performance.now() + PUBLICATION_MS;
    while (performance.now() < until) {
      const current = this.#options.zoneSerial(apex);
      if (current === undefined || compareSerials(current, serial) >= 0) return;
      await delay(PUBLICATION_STEP_MS);
    }
  }
}

/** The message, or the answer to what is none. */
function read(octets: Uint8Array): ReadMessage | Uint8Array {
  try {
    return readMessage(octets);
  } catch (error) {
    if (!(error instanceof MessageSyntaxError)) throw error;
    return writeMessage(answerHeader(readHeader(octets), RCODE.FORMERR));
  }
}

function answerOf(message: ReadMessage, rcode: number): Uint8Array {
  const { questions } = message;
  return writeMessage({ ...answerHeader(message, rcode), questions });
}
