import { setImmediate } from 'node:timers/promises';
import { compareSerials, nameToWire, TsigAnswerSigner, wireToName } from '@zonewright/dns-records';
import {
  type Clock,
  type FairSlots,
  isInNetworks,
  type Logger,
  Overload,
} from '@zonewright/service-kit';
import type { ImageWriter } from '../image/image-writer.js';
import type { TransferCounters } from '../stats/transfer-counters.js';
import type { TransferRequest } from '../transport/tcp-answer.js';
import type { DifferenceLog } from './difference-log.js';
import { TooLargeRecord } from './message-writer.js';
import type { Peer } from './peers.js';
import {
  frame,
  openTransfer,
  readTransferQuery,
  type TransferContent,
  type TransferQuery,
  writeTransfer,
} from './transfer-query.js';

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

/** A transfer in progress. */
interface Transfer extends TransferContent {
  readonly query: TransferQuery;
  readonly peer: Peer;
}

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
    const content = openTransfer(this.#options, query);
    if (content === undefined) return undefined;
    const { known, zone } = query;
    if (known !== undefined && compareSerials(known, content.serial) < 0)
      this.#options.onSerial(peer, zone, known);
    return { query, peer, ...content };
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

  async *#sendMessages(transfer: Transfer, startedAt: number): AsyncGenerator<Uint8Array, void> {
    const { counters, clock, timeoutMs } = this.#options;
    const { query, peer } = transfer;
    const signer = new TsigAnswerSigner(peer.key, query.tsig.mac);
    for (const message of writeTransfer(query, transfer)) {
      const signed = signer.sign(message, clock.now() / 1_000);
      counters.octets += signed.length;
      yield frame(signed);
      if (clock.now() - startedAt > timeoutMs) throw new Error('The transfer took too long.');
      await setImmediate();
    }
  }
}
