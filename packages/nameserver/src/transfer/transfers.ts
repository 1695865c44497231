import { setImmediate } from 'node:timers/promises';
import {
  compareSerials,
  nameToWire,
  readMessage,
  type ReadMessage,
  RR_TYPE,
  serialOfSoa,
  type Tsig,
  TsigAnswerSigner,
  wireToName,
} from '@zonewright/dns-records';
import {
  type Clock,
  type FairSlots,
  isInNetworks,
  type Logger,
  Overload,
} from '@zonewright/service-kit';
import { soaSerialOf } from '../compile/block-records.js';
import type { ImageWriter, PinnedZone } from '../image/image-writer.js';
import type { TransferCounters } from '../stats/transfer-counters.js';
import type { TransferRequest } from '../transport/tcp-answer.js';
import { writeUint16 } from '../wire/octets.js';
import { FLAG } from '../wire/protocol.js';
import type { Difference } from '../compile/difference.js';
import type { DifferenceLog } from './difference-log.js';
import { TooLargeRecord, type TransferQuestion } from './message-writer.js';
import type { Peer } from './peers.js';
import { writeDifferences, writeWholeZone } from './write-transfer.js';

interface TransfersOptions {
  readonly image: ImageWriter;
  readonly differences: DifferenceLog;
  readonly slots: FairSlots;
  /** Returns the peer whose key has this name. */
  readonly findPeer: (keyName: string) => Peer | undefined;
  readonly mayTake: (peer: Peer, zone: string) => Promise<boolean>;
  /** Called when a peer has transferred a serial, or has shown that it has it. */
  readonly onSerial: (peer: Peer, zone: string, serial: number) => void;
  /** Called when a zone was not sent to a peer for a reason that the peer cannot see. */
  readonly onProblem: (peer: Peer, zone: string, problem: string) => void;
  /** Time limit of a transfer. */
  readonly timeoutMs: number;
  readonly counters: TransferCounters;
  readonly clock: Clock;
  readonly log: Logger;
}

interface TransferQuery {
  readonly question: TransferQuestion;
  readonly tsig: Tsig;
  /** Name in canonical text form. */
  readonly zone: string;
  /** Serial that the client has. Undefined if it requests the whole zone. */
  readonly known: number | undefined;
}

/** A transfer in progress. */
interface Transfer {
  readonly query: TransferQuery;
  readonly peer: Peer;
  readonly pinned: PinnedZone;
  readonly serial: number;
  /** Undefined for the whole zone. */
  readonly steps: readonly Difference[] | undefined;
}

const LENGTH_OCTETS = 2;

/** Answers AXFR (RFC 5936) and IXFR (RFC 1995) of peers from one version of the zone, with each message signed. */
export class Transfers {
  readonly #options: TransfersOptions;

  constructor(options: TransfersOptions) {
    this.#options = options;
  }

  /** Yields the framed messages of the response. Queries and other transfers are answered between two of them. */
  async *answer({ message, source, refusal }: TransferRequest): AsyncGenerator<Uint8Array, void> {
    const query = readTransferQuery(message);
    const peer = query && (await this.#findPeer(query, source));
    const giveBack = peer && (await this.#takeSlot(peer.id));
    const transfer = query && peer && giveBack && this.#begin(query, peer);
    try {
      if (transfer === undefined) {
        this.#options.counters.refused++;
        yield refusal;
      } else {
        yield* this.#send(transfer);
      }
    } finally {
      transfer?.pinned.release();
      giveBack?.();
    }
  }

  /** Returns a function that releases the slot. Undefined if none is free in time, or too many requests wait. */
  async #takeSlot(peerId: string): Promise<(() => void) | undefined> {
    const { slots } = this.#options;
    try {
      await slots.enter(peerId);
    } catch (error) {
      if (error instanceof Overload) return undefined;
      throw error;
    }
    return () => {
      slots.leave(peerId);
    };
  }

  /** Returns undefined if the client may not transfer the zone. */
  async #findPeer({ tsig, zone }: TransferQuery, source: string): Promise<Peer | undefined> {
    const peer = this.#options.findPeer(wireToName(tsig.keyName));
    if (peer === undefined) return undefined;
    if (!isInNetworks(source, peer.networks)) {
      this.#reportForeignSource(peer, zone, source);
      return undefined;
    }
    return (await this.#options.mayTake(peer, zone)) ? peer : undefined;
  }

  /** Reports a refused source. Only existing zones are reported, since room for reports is limited. */
  #reportForeignSource(peer: Peer, zone: string, source: string): void {
    const { image, onProblem } = this.#options;
    if (image.zoneSerial(nameToWire(zone)) === undefined) return;
    const problem = `the key ${peer.key.name} was refused from ${source}, which is outside the networks of the peer`;
    onProblem(peer, zone, problem);
  }

  /** Returns undefined if the zone was deleted. */
  #begin(query: TransferQuery, peer: Peer): Transfer | undefined {
    const { image, differences, onSerial } = this.#options;
    const apex = lowerCased(query.question.name);
    const pinned = image.pinZone(apex);
    const serial = pinned && soaSerialOf(pinned.block);
    if (pinned === undefined || serial === undefined) {
      pinned?.release();
      return undefined;
    }
    differences.follow(apex);
    const { known, zone } = query;
    if (known !== undefined && compareSerials(known, serial) < 0) onSerial(peer, zone, known);
    return { query, peer, pinned, serial, steps: this.#stepsFor(apex, known, serial) };
  }

  async *#send(transfer: Transfer): AsyncGenerator<Uint8Array, void> {
    const { counters, clock, log, onSerial, onProblem } = this.#options;
    const { query, peer, serial, steps } = transfer;
    const startedAt = clock.now();
    const form = steps === undefined ? 'axfr' : 'ixfr';
    const about = { peer: peer.id, zone: query.zone, serial, from: query.known, form };
    let isWhole = false;
    try {
      yield* this.#sendMessages(transfer, startedAt);
      isWhole = true;
      counters.done[form]++;
      onSerial(peer, query.zone, serial);
      log.info({ ...about, ms: clock.now() - startedAt }, 'a zone was transferred');
    } catch (error) {
      log.warn({ err: error, ...about }, 'a transfer was aborted');
      if (error instanceof TooLargeRecord) onProblem(peer, query.zone, error.message);
      throw error;
    } finally {
      if (!isWhole) counters.cut++;
    }
  }

  async *#sendMessages(
    { query, peer, pinned, steps }: Transfer,
    startedAt: number,
  ): AsyncGenerator<Uint8Array, void> {
    const { counters, clock, timeoutMs } = this.#options;
    const signer = new TsigAnswerSigner(peer.key, query.tsig.mac);
    const messages =
      steps === undefined
        ? writeWholeZone(query.question, pinned.block)
        : writeDifferences(query.question, pinned.block, steps);
    for (const message of messages) {
      const signed = signer.sign(message, clock.now() / 1_000);
      counters.octets += signed.length;
      yield frame(signed);
      if (clock.now() - startedAt > timeoutMs) throw new Error('The transfer took too long.');
      await setImmediate();
    }
  }

  /** Returns undefined for the whole zone. A client with this serial or a newer one gets no changes (RFC 1995 s2). */
  #stepsFor(apex: Uint8Array, known: number | undefined, serial: number) {
    if (known === undefined) return undefined;
    if (compareSerials(known, serial) >= 0) return [];
    return this.#options.differences.find(apex, known, serial);
  }
}

/** Returns undefined if the message is not signed, or has no question. */
function readTransferQuery(octets: Uint8Array): TransferQuery | undefined {
  const message = readMessage(octets);
  const { id, flags, questions, additionals, tsig } = message;
  const [asked] = questions;
  if (asked === undefined || tsig === undefined) return undefined;
  const { name, type } = asked;
  return {
    tsig,
    zone: wireToName(name).toLowerCase(),
    known: type === RR_TYPE.IXFR ? knownSerial(message) : undefined,
    question: {
      ...{ id, name, type },
      isRecursionDesired: (flags & FLAG.RD) !== 0,
      hasEdns: additionals.some((record) => record.type === RR_TYPE.OPT),
    },
  };
}

/**
 * Returns the serial in the client's SOA, which is in the authority section (RFC 1995 s3). Without it the whole zone is
 * sent.
 */
function knownSerial({ authorities: [soa] }: ReadMessage): number | undefined {
  return soa?.type === RR_TYPE.SOA ? serialOfSoa(soa.rdata) : undefined;
}

function lowerCased(name: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(name).toString('latin1').toLowerCase(), 'latin1');
}

function frame(message: Uint8Array): Uint8Array {
  const framed = Buffer.allocUnsafe(LENGTH_OCTETS + message.length);
  writeUint16(framed, 0, message.length);
  framed.set(message, LENGTH_OCTETS);
  return framed;
}
