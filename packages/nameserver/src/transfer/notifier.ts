import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import {
  AA_FLAG,
  nameToWire,
  OPCODE,
  opcodeOf,
  QR_FLAG,
  RR_CLASS,
  RR_TYPE,
  rcodeOf,
  readMessage,
  signRequest,
  TsigAnswerChecker,
  writeMessage,
} from '@zonewright/dns-records';
import { type Clock, type Logger } from '@zonewright/service-kit';
import { rcodeName } from '../wire/protocol.js';
import type { TransferCounters } from '../stats/transfer-counters.js';
import type { Peer } from './peers.js';

interface NotifierOptions {
  /** Literal source addresses. For a family without one, the kernel chooses. */
  readonly sources: readonly string[];
  readonly serialOf: (zone: string) => number | undefined;
  readonly onAnswer: (peer: Peer, zone: string, serial: number, answer: string) => void;
  readonly counters: TransferCounters;
  readonly clock: Clock;
  readonly log: Logger;
}

type Target = Peer['notify'][number];

/** Notification of a server about a zone. */
interface Notice {
  readonly peer: Peer;
  readonly target: Target;
  readonly zone: string;
  /** Whether the zone has changed since the current request was first sent. */
  isOutdated: boolean;
  serial: number;
  tries: number;
  id: number;
  checker: TsigAnswerChecker | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Intervals between retries. Each server may choose them (RFC 1996 s3.6); those of s4.8 are for slower networks. */
const TIMES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
const MAX_IN_FLIGHT = 1_000;
/**
 * Maximum number of slots of a peer. A server that does not answer keeps its slot for half a minute per zone; other
 * servers have separate slots.
 */
const MAX_IN_FLIGHT_OF_PEER = 20;
const MAX_WAITING = 100_000;
const NO_ANSWER = 'no answer';
/** Time for which a server that did not answer gets no requests. Its notifications wait. */
const SILENT_MS = 60_000;

/**
 * Notifies servers of peers that a zone has changed (RFC 1996), until they acknowledge it. If the zone changes again in
 * the meantime, they are notified again afterwards. A server therefore gets one request about a zone at a time, however
 * often it changes.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #inFlight = new Map<string, Notice>();
  readonly #inFlightOf = new Map<string, number>();
  /** Waiting notifications by peer. The peer that was served last is at the end. */
  readonly #waiting = new Map<string, Map<string, Notice>>();
  #waitingCount = 0;
  readonly #byId = new Map<number, Notice>();
  readonly #sockets = new Map<boolean, Socket>();
  /** Servers that did not answer, with the timers that end their pause. */
  readonly #silent = new Map<string, NodeJS.Timeout>();
  #isStopped = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  tell(peer: Peer, zone: string): void {
    if (this.#isStopped) return;
    for (const target of peer.notify) this.#tellTarget(peer, target, zone);
  }

  stop(): void {
    this.#isStopped = true;
    for (const { timer } of this.#inFlight.values()) clearTimeout(timer);
    for (const timer of this.#silent.values()) clearTimeout(timer);
    this.#silent.clear();
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
    this.#inFlight.clear();
    this.#waiting.clear();
  }

  #tellTarget(peer: Peer, target: Target, zone: string): void {
    const key = `${peer.id} ${target.address} ${target.port} ${zone}`;
    const present = this.#inFlight.get(key);
    if (present !== undefined) {
      present.isOutdated = true;
      return;
    }
    const ofPeer = this.#waiting.get(peer.id) ?? new Map<string, Notice>();
    // Maximum number of waiting notifications of a peer.
    if (ofPeer.has(key) || ofPeer.size >= MAX_WAITING - this.#waitingCount) return;
    const nothing = { isOutdated: false, serial: 0, tries: 0, id: 0 };
    const notice = { ...nothing, peer, target, zone, checker: undefined, timer: undefined };
    ofPeer.set(key, notice);
    this.#waitingCount++;
    this.#waiting.set(peer.id, ofPeer);
    this.#sendWaitingOf(peer.id);
  }

  #sendWaitingOf(peerId: string): void {
    const notices = this.#waiting.get(peerId);
    if (notices === undefined) return;
    const before = notices.size;
    for (const [key, notice] of notices) {
      const places = this.#placesOf(peerId);
      if (this.#isFull || places >= MAX_IN_FLIGHT_OF_PEER) break;
      if (this.#silent.has(serverOf(notice))) continue;
      notices.delete(key);
      this.#inFlight.set(key, notice);
      this.#inFlightOf.set(peerId, places + 1);
      this.#begin(key, notice);
    }
    this.#waitingCount -= before - notices.size;
    if (notices.size < before) this.#waiting.delete(peerId);
    if (notices.size > 0) this.#waiting.set(peerId, notices);
  }

  get #isFull(): boolean {
    return this.#inFlight.size >= MAX_IN_FLIGHT;
  }

  #placesOf(peerId: string): number {
    return this.#inFlightOf.get(peerId) ?? 0;
  }

  #begin(key: string, notice: Notice): void {
    notice.isOutdated = false;
    notice.tries = 0;
    notice.serial = this.#options.serialOf(notice.zone) ?? 0;
    this.#send(key, notice);
  }

  #send(key: string, notice: Notice): void {
    const { clock, log } = this.#options;
    const { peer, target, zone } = notice;
    this.#byId.delete(notice.id);
    do notice.id = randomInt(65_536);
    while (this.#byId.has(notice.id));
    this.#byId.set(notice.id, notice);
    const question = { name: nameToWire(zone), type: RR_TYPE.SOA, class: RR_CLASS.IN };
    const flags = (OPCODE.NOTIFY << 11) | AA_FLAG;
    const none = { answers: [], authorities: [], additionals: [] };
    const request = writeMessage({ id: notice.id, flags, questions: [question], ...none });
    const { message, mac } = signRequest(request, peer.key, clock.now() / 1_000);
    notice.checker = new TsigAnswerChecker(peer.key, mac);
    this.#socketFor(target.address).send(message, target.port, target.address, (error) => {
      if (error) log.debug({ err: error, ...target }, 'NOTIFY could not be sent');
    });
    notice.timer = setTimeout(() => {
      notice.tries++;
      if (notice.tries < TIMES_MS.length) this.#send(key, notice);
      else this.#end(key, notice, NO_ANSWER);
    }, TIMES_MS[notice.tries]);
  }

  #end(key: string, notice: Notice, answer: string): void {
    const { counters, onAnswer } = this.#options;
    clearTimeout(notice.timer);
    this.#byId.delete(notice.id);
    counters.notifies.set(answer, (counters.notifies.get(answer) ?? 0) + 1);
    onAnswer(notice.peer, notice.zone, notice.serial, answer);
    if (answer === NO_ANSWER) this.#leaveAlone(notice);
    if (notice.isOutdated && answer !== NO_ANSWER) {
      this.#begin(key, notice);
      return;
    }
    this.#giveBack(key, notice.peer.id);
    if (notice.isOutdated) this.#tellTarget(notice.peer, notice.target, notice.zone);
  }

  #leaveAlone(notice: Notice): void {
    const server = serverOf(notice);
    clearTimeout(this.#silent.get(server));
    const timer = setTimeout(() => {
      this.#silent.delete(server);
      for (const peerId of this.#waiting.keys()) this.#sendWaitingOf(peerId);
    }, SILENT_MS).unref();
    this.#silent.set(server, timer);
  }

  #giveBack(key: string, peerId: string): void {
    const wasFull = this.#isFull;
    this.#inFlight.delete(key);
    const left = this.#placesOf(peerId) - 1;
    if (left > 0) this.#inFlightOf.set(peerId, left);
    else this.#inFlightOf.delete(peerId);
    const next = wasFull ? this.#waiting.keys() : [peerId];
    for (const each of next) this.#sendWaitingOf(each);
  }

  #socketFor(address: string): Socket {
    const isV6 = isIPv6(address);
    const present = this.#sockets.get(isV6);
    if (present !== undefined) return present;
    const socket = createSocket(isV6 ? 'udp6' : 'udp4');
    const source = this.#options.sources.find((candidate) => isIPv6(candidate) === isV6);
    socket.on('message', (message, { address: from, port }) => {
      this.#receive(message, from, port);
    });
    // The next request opens another socket.
    socket.on('error', (error) => {
      this.#options.log.warn({ err: error, source }, 'NOTIFY cannot be sent from this address');
      if (this.#sockets.get(isV6) !== socket) return;
      this.#sockets.delete(isV6);
      socket.close();
    });
    socket.bind({ port: 0, ...(source === undefined ? {} : { address: source }) });
    socket.unref();
    this.#sockets.set(isV6, socket);
    return socket;
  }

  /** Ignores messages that do not answer a request of this server, or that come from another address. */
  #receive(octets: Uint8Array, from: string, port: number): void {
    try {
      const message = readMessage(octets);
      const notice = this.#byId.get(message.id);
      if (notice?.target.address !== from || notice.target.port !== port) return;
      if ((message.flags & QR_FLAG) === 0 || opcodeOf(message) !== OPCODE.NOTIFY) return;
      const rcode = rcodeOf(message);
      const now = this.#options.clock.now() / 1_000;
      const fault = notice.checker?.check(octets, message.tsig, now);
      const answer = rcode === 0 && fault !== undefined ? fault : rcodeName(rcode);
      this.#end(this.#keyOf(notice), notice, answer);
    } catch (error) {
      this.#options.log.debug({ err: error, from }, 'an answer to NOTIFY could not be read');
    }
  }

  #keyOf({ peer, target, zone }: Notice): string {
    return `${peer.id} ${target.address} ${target.port} ${zone}`;
  }
}

function serverOf({ target: { address, port } }: Notice): string {
  return `${address} ${port}`;
}
