import { setImmediate } from 'node:timers/promises';
import {
  compareSerials,
  readMessage,
  type ReadMessage,
  RR_TYPE,
  TsigAnswerSigner,
  wireToName,
} from '@zonewright/dns-records';
import { type Clock, isInNetworks, type Logger } from '@zonewright/service-kit';
import type { ImageWriter } from '../image/image-writer.js';
import type { TransferCounters } from '../stats/transfer-counters.js';
import type { TransferRequest } from '../transport/tcp-answer.js';
import { writeUint16 } from '../wire/octets.js';
import { FLAG } from '../wire/protocol.js';
import type { DifferenceLog } from './difference-log.js';
import { serialOfSoa, type TransferQuestion } from './message-writer.js';
import type { Peer } from './peers.js';
import type { TransferPlaces } from './places.js';
import { writeDifferences, writeWholeZone } from './write-transfer.js';

interface TransfersOptions {
  readonly image: ImageWriter;
  readonly differences: DifferenceLog;
  readonly places: TransferPlaces;
  /** The peer whose key has this name. */
  readonly findPeer: (keyName: string) => Peer | undefined;
  readonly mayTake: (peer: Peer, zone: string) => Promise<boolean>;
  /** Called when a peer has taken a serial, or shown that it has it. */
  readonly onSerial: (peer: Peer, zone: string, serial: number) => void;
  /** No transfer takes longer. */
  readonly timeoutMs: number;
  readonly counters: TransferCounters;
  readonly clock: Clock;
  readonly log: Logger;
}

const LENGTH_OCTETS = 2;

/** Answers AXFR (RFC 5936) and IXFR (RFC 1995) for peers, from one version of the zone, signed message by message. */
export class Transfers {
  readonly #options: TransfersOptions;

  constructor(options: TransfersOptions) {
    this.#options = options;
  }

  /** The framed messages of the answer; queries and other transfers are answered between any two of them. */
  async *answer(request: TransferRequest): AsyncGenerator<Uint8Array, void> {
    const { places, counters } = this.#options;
    const query = readMessage(request.message);
    const peer = this.#findPeer(query, request.source);
    const zone = wireToName(query.questions[0]!.name).toLowerCase();
    const isAllowed = peer !== undefined && (await this.#options.mayTake(peer, zone));
    const giveBack = isAllowed ? await places.take(peer.id) : undefined;
    if (peer === undefined || giveBack === undefined) {
      counters.refused++;
      yield request.refusal;
      return;
    }
    try {
      yield* this.#send(query, peer, zone, request.refusal);
    } finally {
      giveBack();
    }
  }

  #findPeer({ tsig }: ReadMessage, source: string): Peer | undefined {
    const peer = tsig && this.#options.findPeer(wireToName(tsig.keyName));
    return peer !== undefined && isInNetworks(source, peer.networks) ? peer : undefined;
  }

  async *#send(
    query: ReadMessage,
    peer: Peer,
    zone: string,
    refusal: Uint8Array,
  ): AsyncGenerator<Uint8Array, void> {
    const { image, differences, counters, clock, timeoutMs, log, onSerial } = this.#options;
    const question = toQuestion(query);
    const apex = lowerCased(question.name);
    const serial = image.zoneSerial(apex);
    const pinned = image.pinZone(apex);
    if (pinned === undefined || serial === undefined) {
      yield refusal;
      return;
    }
    const startedAt = clock.now();
    let octets = 0;
    let isWhole = false;
    try {
      differences.follow(apex);
      const signer = new TsigAnswerSigner(peer.key, query.tsig!.mac);
      const known = question.type === RR_TYPE.IXFR ? knownSerial(query) : undefined;
      if (known !== undefined && compareSerials(known, serial) < 0) onSerial(peer, zone, known);
      const steps = this.#stepsFor(apex, known, serial);
      const messages =
        steps === undefined
          ? writeWholeZone(question, pinned.block)
          : writeDifferences(question, pinned.block, steps);
      for (const message of messages) {
        const signed = signer.sign(message, clock.now() / 1_000);
        octets += signed.length;
        yield frame(signed);
        if (clock.now() - startedAt > timeoutMs) throw new Error('The transfer took too long.');
        await setImmediate();
      }
      isWhole = true;
      counters.done[steps === undefined ? 'axfr' : 'ixfr']++;
      onSerial(peer, zone, serial);
      log.info(
        { peer: peer.id, zone, serial, from: known, octets, ms: clock.now() - startedAt },
        steps === undefined ? 'a zone was transferred' : 'changes were transferred',
      );
    } catch (error) {
      log.warn({ err: error, peer: peer.id, zone }, 'a transfer was broken off');
      throw error;
    } finally {
      pinned.release();
      counters.octets += octets;
      if (!isWhole) counters.cut++;
    }
  }

  /** Undefined: the whole zone. A client that is as new as we are, or newer, has nothing to get (RFC 1995 s2). */
  #stepsFor(apex: Uint8Array, known: number | undefined, serial: number) {
    if (known === undefined) return undefined;
    if (compareSerials(known, serial) >= 0) return [];
    return this.#options.differences.find(apex, known, serial);
  }
}

function toQuestion({ id, flags, questions, additionals }: ReadMessage): TransferQuestion {
  const [{ name, type }] = questions as [ReadMessage['questions'][number]];
  return {
    ...{ id, name, type },
    isRecursionDesired: (flags & FLAG.RD) !== 0,
    hasEdns: additionals.some((record) => record.type === RR_TYPE.OPT),
  };
}

/** RFC 1995 s3: the client's SOA stands in the authority section. Without it the whole zone is right. */
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
