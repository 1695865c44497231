import { setImmediate } from 'node:timers/promises';
import {
  appendTsig,
  EXTENDED_ERROR,
  type ExtendedError,
  RCODE,
  rcodeOf,
  readMessage,
  RR_TYPE,
  wireToName,
} from '@zonewright/dns-records';
import { type Clock, FairSlots, type Logger, Overload } from '@zonewright/service-kit';
import { BlockNodes } from '../compile/block-nodes.js';
import { ZoneWalk } from '../compile/zone-walk.js';
import type { ImageWriter } from '../image/image-writer.js';
import type { MessageRelay } from '../relay/message-relay.js';
import { refusalOf } from '../relay/received-message.js';
import type { TransferCounters } from '../stats/transfer-counters.js';
import type { TransferRequest } from '../transport/tcp-answer.js';
import type { DifferenceLog } from './difference-log.js';
import { TooLargeRecord } from './message-writer.js';
import {
  frame,
  openTransfer,
  readTransferQuery,
  type TransferContent,
  type TransferQuery,
  writeTransfer,
} from './transfer-query.js';

interface KeyTransfersOptions {
  readonly image: ImageWriter;
  readonly differences: DifferenceLog;
  readonly relay: Pick<MessageRelay, 'permitTransfer' | 'signTransfer'>;
  readonly counters: TransferCounters;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Messages of a response that have no TSIG yet. */
interface Unsigned {
  readonly messages: readonly Uint8Array[];
  /** Undefined for a refusal. */
  readonly content: Pick<TransferContent, 'serial' | 'steps'> | undefined;
}

/** Maximum number of records of a zone, without those that signing adds. */
const MAX_RECORDS = 10_000;
/** Maximum size of a transfer, which the DNS API takes in one request. */
const MAX_OCTETS = 3_000_000;
/** Time limit of a transfer, for which its messages are in memory. */
const TIMEOUT_MS = 60_000;

/** Limits of transfers in memory. Their owner is the tenant of the zone. */
const IN_MEMORY = {
  total: 16,
  perOwner: 4,
  queue: { total: 64, perOwner: 16, waitMs: 10_000 },
};
/** Limits of transfers that are written and signed. */
const SIGNED = { total: 2, queue: { total: 64, perOwner: 16, waitMs: 10_000 } };

const TYPES_OF_SIGNING: ReadonlySet<number> = new Set([RR_TYPE.RRSIG, RR_TYPE.NSEC, RR_TYPE.NSEC3]);

const other = (text: string): ExtendedError => ({ code: EXTENDED_ERROR.OTHER, text });
const TOO_MANY_RECORDS = other(
  `The zone has more than ${MAX_RECORDS} records; create a transfer key (peer) for it.`,
);
const TOO_LARGE = other(
  `The transfer has more than ${MAX_OCTETS} bytes; create a transfer key (peer) for the zone.`,
);
const NO_DATA = { code: EXTENDED_ERROR.NOT_READY, text: 'The zone has no current data.' };
const UNAVAILABLE = {
  code: EXTENDED_ERROR.NOT_READY,
  text: 'Access keys cannot be checked at the moment; try again.',
};
const BUSY = {
  code: EXTENDED_ERROR.NOT_READY,
  text: 'Too many transfers are waiting; try again later.',
};

/**
 * Answers AXFR (RFC 5936) and IXFR (RFC 1995) that are signed with access keys, for small zones. This server does not
 * know the keys: the DNS API decides, then signs all messages of the response (ADR 0072).
 */
export class KeyTransfers {
  readonly #options: KeyTransfersOptions;
  readonly #inMemory = new FairSlots(IN_MEMORY);
  readonly #signed = new FairSlots(SIGNED);

  constructor(options: KeyTransfersOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#inMemory.taken;
  }

  /** Yields the framed messages of the response. */
  async *answer({ message: octets, source }: TransferRequest): AsyncGenerator<Uint8Array, void> {
    const { relay, counters } = this.#options;
    const query = readTransferQuery(octets);
    if (query === undefined) return;
    const received = { octets, source, transport: 'tcp' } as const;
    const { answer, tenantId = query.zone } = await relay.permitTransfer(received, query.message);
    if (rcodeOf(readMessage(answer)) !== RCODE.NOERROR) {
      counters.refused++;
      yield frame(
        isUnavailable(answer) ? refusalOf(query.message, RCODE.SERVFAIL, UNAVAILABLE) : answer,
      );
      return;
    }
    if (!(await tryToEnter(this.#inMemory, tenantId))) {
      counters.refused++;
      yield frame(refusalOf(query.message, RCODE.SERVFAIL, BUSY));
      return;
    }
    try {
      yield* this.#transfer(query, octets, tenantId);
    } finally {
      this.#inMemory.leave(tenantId);
    }
  }

  async *#transfer(
    query: TransferQuery,
    octets: Uint8Array,
    tenantId: string,
  ): AsyncGenerator<Uint8Array, void> {
    const { counters, clock, log } = this.#options;
    const startedAt = clock.now();
    const { messages, content } = await this.#sign(query, octets, tenantId);
    const form = content?.steps === undefined ? 'axfr' : 'ixfr';
    let isWhole = false;
    try {
      for (const message of messages) {
        counters.octets += message.length;
        yield frame(message);
        if (clock.now() - startedAt > TIMEOUT_MS) throw new Error('The transfer took too long.');
      }
      isWhole = true;
    } finally {
      if (content === undefined) counters.refused++;
      else if (isWhole) counters.done[form]++;
      else counters.cut++;
    }
    if (content === undefined) return;
    const key = wireToName(query.tsig.keyName);
    const about = { key, zone: query.zone, serial: content.serial, from: query.known, form };
    log.info({ ...about, ms: clock.now() - startedAt }, 'a zone was transferred');
  }

  /** Returns the messages with their TSIG, or the response that they cannot be signed now. */
  async #sign(query: TransferQuery, octets: Uint8Array, tenantId: string): Promise<Unsigned> {
    const { relay, log } = this.#options;
    try {
      return await this.#signed.run(tenantId, async () => {
        const { messages, content } = await this.#write(query);
        const records = await relay.signTransfer(octets, messages);
        return {
          messages: messages.map((message, at) => appendTsig(message, tsigAt(records, at))),
          content,
        };
      });
    } catch (error) {
      const isBusy = error instanceof Overload;
      if (!isBusy) log.warn({ err: error }, 'a transfer could not be signed: SERVFAIL');
      const refusal = refusalOf(query.message, RCODE.SERVFAIL, isBusy ? BUSY : UNAVAILABLE);
      return { messages: [refusal], content: undefined };
    }
  }

  /** Writes the messages of one version of the zone, or the refusal. */
  async #write(query: TransferQuery): Promise<Unsigned> {
    const refuse = (rcode: number, error: ExtendedError) => ({
      messages: [refusalOf(query.message, rcode, error)],
      content: undefined,
    });
    const content = openTransfer(this.#options, query);
    if (content === undefined) return refuse(RCODE.SERVFAIL, NO_DATA);
    try {
      if (hasTooManyRecords(content.pinned.block)) return refuse(RCODE.REFUSED, TOO_MANY_RECORDS);
      const messages: Uint8Array[] = [];
      let octets = 0;
      for (const message of writeTransfer(query, content)) {
        octets += message.length;
        if (octets > MAX_OCTETS) return refuse(RCODE.REFUSED, TOO_LARGE);
        messages.push(message);
        await setImmediate();
      }
      return { messages, content };
    } catch (error) {
      if (error instanceof TooLargeRecord) return refuse(RCODE.REFUSED, other(`${error.message}.`));
      throw error;
    } finally {
      content.pinned.release();
    }
  }
}

function hasTooManyRecords(block: Uint8Array): boolean {
  const walk = new ZoneWalk(new BlockNodes(block));
  // The walk omits the SOA record.
  let records = 1;
  for (let record = walk.next(); record !== undefined; record = walk.next()) {
    if (!TYPES_OF_SIGNING.has(record.type)) records++;
    if (records > MAX_RECORDS) return true;
  }
  return false;
}

/** Whether the answer is that of this server if the DNS API did not respond. It has no reason yet. */
function isUnavailable(answer: Uint8Array): boolean {
  return rcodeOf(readMessage(answer)) === RCODE.SERVFAIL;
}

async function tryToEnter(slots: FairSlots, owner: string): Promise<boolean> {
  try {
    await slots.enter(owner);
    return true;
  } catch (error) {
    if (error instanceof Overload) return false;
    throw error;
  }
}

function tsigAt(records: readonly Uint8Array[], at: number): Uint8Array {
  const record = records[at];
  if (record === undefined) throw new Error('The DNS API did not sign all messages.');
  return record;
}
