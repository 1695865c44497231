import {
  answerHeader,
  compareSerials,
  EXTENDED_ERROR,
  MessageSyntaxError,
  nameToWire,
  OPCODE,
  opcodeOf,
  type ReadMessage,
  RCODE,
  readHeader,
  readMessage,
  RR_TYPE,
  writeMessage,
} from '@zonewright/dns-records';
import type { AuthorizedClient, Logger } from '@zonewright/service-kit';
import type { RelayCounters } from '../stats/relay-counters.js';
import { LONG_DEADLINE_MS, MessageQueue, toBase64, type Published } from './message-queue.js';
import { type AnswerRelayed, type ReceivedMessage, refusalOf } from './received-message.js';
import { Senders, zoneOf } from './senders.js';

interface MessageRelayOptions {
  /** Client of the DNS API. */
  readonly client: Pick<AuthorizedClient, 'call'>;
  /** Returns the serial in the image of the zone with this apex. Undefined if the zone is not in it. */
  readonly zoneSerial: (apex: Uint8Array) => number | undefined;
  /** Whether all zones have been loaded. Before that, a missing zone may still arrive. */
  readonly isLoaded: () => boolean;
  readonly counters: RelayCounters;
  readonly log: Logger;
}

/** Maximum time that a response waits until this server answers with the change. */
const PUBLICATION_MS = 1_000;
const NEEDS_TCP = { code: EXTENDED_ERROR.NOT_SUPPORTED, text: 'Use TCP for AXFR.' };

/**
 * Relays updates, signed queries and NOTIFY of primaries to the DNS API (ADR 0033, ADR 0040). The relay does not know
 * access keys: the DNS API checks signed messages and signs the answers. Messages for other servers' zones are not
 * relayed.
 */
export class MessageRelay {
  readonly #options: MessageRelayOptions;
  readonly #updates: MessageQueue;
  readonly #queries: MessageQueue;
  readonly #transfers: MessageQueue;
  readonly #notifies: MessageQueue;
  readonly #publications = new Publications();

  constructor(options: MessageRelayOptions) {
    const { client, log, counters } = options;
    const onPublished = (published: Published) => this.#published(published);
    this.#options = options;
    const parts = { client, log, counters, onPublished, senders: new Senders() };
    this.#updates = new MessageQueue({ ...parts, kind: 'update' });
    this.#queries = new MessageQueue({ ...parts, kind: 'query' });
    this.#transfers = new MessageQueue({ ...parts, kind: 'transfer' });
    this.#notifies = new MessageQueue({ ...parts, kind: 'notify' });
  }

  readonly answer: AnswerRelayed = async (received) => {
    const message = read(received.octets);
    if (message instanceof Uint8Array) return message;
    // A response exists only for a query of a zone on this server.
    if (received.answer !== undefined) {
      const answer = isFullTransfer(message)
        ? refusalOf(message, RCODE.REFUSED, NEEDS_TCP)
        : received.answer;
      return await this.#queries.answer({ ...received, answer }, message);
    }
    const isUpdate = opcodeOf(message) === OPCODE.UPDATE;
    const refusal = this.#refusalOf(message);
    const { counters } = this.#options;
    if (refusal !== undefined) {
      counters.count(isUpdate ? 'update' : 'notify', 'refused');
      return refusalOf(message, refusal);
    }
    if (isUpdate) return await this.#updates.answer(received, message);
    return await this.#notifies.answer(received, message);
  };

  /** Returns the RCODE of a message that is rejected before its key is checked. */
  #refusalOf(message: ReadMessage): number | undefined {
    const {
      tsig,
      questions: [zone],
    } = message;
    if (tsig === undefined && opcodeOf(message) === OPCODE.UPDATE) return RCODE.REFUSED;
    if (zone === undefined) return RCODE.FORMERR;
    if (this.#options.zoneSerial(zone.name) !== undefined) return undefined;
    return this.#options.isLoaded() ? RCODE.NOTAUTH : RCODE.SERVFAIL;
  }

  /**
   * Returns the response of the DNS API to a signed request for a transfer: NOERROR if the key may transfer the zone
   * now. SERVFAIL without a reason means that the DNS API did not respond.
   */
  async permitTransfer(
    received: ReceivedMessage,
    message: ReadMessage,
  ): Promise<{ readonly answer: Uint8Array; readonly tenantId: string | undefined }> {
    const answer = await this.#transfers.answer(received, message);
    const tenantId = this.#transfers.tenantOf(zoneOf(message));
    return { answer: answer ?? refusalOf(message, RCODE.SERVFAIL), tenantId };
  }

  /** Returns the TSIG records of the messages of a transfer. @throws Error if they cannot be signed now */
  async signTransfer(
    request: Uint8Array,
    messages: readonly Uint8Array[],
  ): Promise<readonly Uint8Array[]> {
    const answered = await this.#options.client.call({
      method: 'POST',
      path: 'internal/v1/signed-transfers',
      body: { message: toBase64(request), answers: messages.map(toBase64) },
      timeoutMs: LONG_DEADLINE_MS,
    });
    if (answered.status !== 200) throw new Error(`The DNS API responded with ${answered.status}.`);
    const { records } = answered.body as { readonly records: readonly string[] };
    return records.map((record) => Buffer.from(record, 'base64'));
  }

  /** Called when answers come from a new version of a zone. */
  readonly replaced = (zone: string): void => {
    this.#publications.replaced(zone);
  };

  /** Waits until this server answers with the published version, so that the client finds its change here. */
  async #published({ zone, serial }: Published): Promise<void> {
    const apex = nameToWire(zone);
    await this.#publications.until(zone, () => {
      const current = this.#options.zoneSerial(apex);
      return current === undefined || compareSerials(current, serial) >= 0;
    });
  }
}

/** Whether this is a query for AXFR, which is not defined over UDP (RFC 5936 s4.2). */
function isFullTransfer({ questions: [question] }: ReadMessage): boolean {
  return question?.type === RR_TYPE.AXFR;
}

/** Requests that wait for other versions of zones. */
class Publications {
  readonly #waiting = new Map<string, Set<() => void>>();

  replaced(zone: string): void {
    for (const look of this.#waiting.get(zone) ?? []) look();
  }

  /** Resolves when answers come from that version, or at the time limit. */
  async until(zone: string, isDone: () => boolean): Promise<void> {
    if (isDone()) return;
    const looks = this.#waiting.get(zone) ?? new Set();
    this.#waiting.set(zone, looks);
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        looks.delete(look);
        if (looks.size === 0) this.#waiting.delete(zone);
        resolve();
      };
      const timer = setTimeout(end, PUBLICATION_MS);
      const look = () => {
        if (isDone()) end();
      };
      looks.add(look);
    });
  }
}

/** Returns the message, or the response if it is malformed. */
function read(octets: Uint8Array): ReadMessage | Uint8Array {
  try {
    return readMessage(octets);
  } catch (error) {
    if (!(error instanceof MessageSyntaxError)) throw error;
    return writeMessage(answerHeader(readHeader(octets), RCODE.FORMERR));
  }
}
