import type { Libc, PinnedMemory } from '../transport/libc.js';
import { AF_INET6, SOCKADDR } from '../transport/socket-address.js';
import type { BatchSocket } from './udp-batch-socket.js';

/** Maximum number of messages in one system call. */
export const BATCH = 64;

/** Maximum size of a message over UDP, so that none is ever truncated. */
const QUERY_OCTETS = 65_535;
/**
 * Distance between message buffers. They start a cache line apart from multiples of a page, so that they do not share a
 * few cache lines.
 */
const QUERY_ROOM = 65_536 + 64;
const CACHE_LINE = 64;

/** Source of a query, and the local address that it was sent to. */
export interface QueryOrigin {
  readonly name: Uint8Array;
  readonly nameLength: number;
  readonly control: Uint32Array;
  readonly controlLength: number;
}

/** struct mmsghdr, struct iovec and struct cmsghdr with 64-bit pointers, as octets and as 32-bit words. */
const MMSGHDR_OCTETS = 64;
const MMSGHDR_WORDS = MMSGHDR_OCTETS / 4;
const MSGHDR = { NAME: 0, IOV: 16, IOVLEN: 24, CONTROL: 32 } as const;
const MSGHDR_WORD = { NAME: 0, NAMELEN: 2, CONTROL: 8, CONTROLLEN: 10, LENGTH: 14 } as const;
const IOVEC_OCTETS = 16;
const IOVEC_LENGTH_WORD = 2;
const NAME_OCTETS = 32;
/** Size of a control message: a header of 16 octets and struct in6_pktinfo (20) or in_pktinfo (12). */
const CONTROL_OCTETS = 64;
const CONTROL_DATA = 16;
const CONTROL_WORDS = CONTROL_OCTETS / 4;
const IN6_PKTINFO_INTERFACE_WORD = (CONTROL_DATA + 16) / 4;
const IN_PKTINFO_INTERFACE_WORD = CONTROL_DATA / 4;

/**
 * Memory for recvmmsg(2) and sendmmsg(2), for BATCH messages in each direction:
 *
 *   tables      queries: mmsghdr x 64, iovec x 64 | answers: mmsghdr x 64, iovec x 64 | names x 64 | control x 64
 *   messages    queries x 64 | answers x 64
 *
 * Answer n is in buffer n of the answers. Its header takes over name and control message of its query. It is therefore
 * sent to the source of the query, from the address that the query was sent to (RFC 2181 s4).
 */
export class BatchBuffers {
  /** Queries, followed by answers. */
  readonly messages: Uint8Array;
  readonly queryHeaders: Uint8Array;
  readonly answerHeaders: Uint8Array;
  readonly #answerRoom: number;
  readonly #memory: readonly PinnedMemory[];
  readonly #queryWords: Uint32Array;
  readonly #answerWords: Uint32Array;
  readonly #answerVectors: Uint32Array;
  readonly #names: Uint8Array;
  readonly #controlWords: Uint32Array;

  constructor(libc: Libc, maxAnswerOctets: number) {
    this.#answerRoom = Math.ceil(maxAnswerOctets / CACHE_LINE) * CACHE_LINE + CACHE_LINE;
    const messages = libc.allocate(BATCH * (QUERY_ROOM + this.#answerRoom));
    const perMessage = 2 * (MMSGHDR_OCTETS + IOVEC_OCTETS) + NAME_OCTETS + CONTROL_OCTETS;
    const tables = libc.allocate(BATCH * perMessage);
    tables.octets.fill(0);
    this.#memory = [messages, tables];
    this.messages = messages.octets;

    let at = 0;
    const table = (octets: number) => {
      const start = at;
      at += BATCH * octets;
      return { start, octets: tables.octets.subarray(start, at) };
    };
    const queryHeaders = table(MMSGHDR_OCTETS);
    const answerHeaders = table(MMSGHDR_OCTETS);
    const queryVectors = table(IOVEC_OCTETS);
    const answerVectors = table(IOVEC_OCTETS);
    const names = table(NAME_OCTETS);
    const control = table(CONTROL_OCTETS);
    this.queryHeaders = queryHeaders.octets;
    this.answerHeaders = answerHeaders.octets;
    this.#queryWords = toWords(queryHeaders.octets);
    this.#answerWords = toWords(answerHeaders.octets);
    this.#answerVectors = toWords(answerVectors.octets);
    this.#names = names.octets;
    this.#controlWords = toWords(control.octets);

    const view = new DataView(tables.octets.buffer, tables.octets.byteOffset);
    const point = (from: number, to: bigint) => {
      view.setBigUint64(from, to, true);
    };
    for (let i = 0; i < BATCH; i++) {
      const query = queryHeaders.start + i * MMSGHDR_OCTETS;
      const queryVector = queryVectors.start + i * IOVEC_OCTETS;
      point(query + MSGHDR.NAME, tables.address + BigInt(names.start + i * NAME_OCTETS));
      point(query + MSGHDR.IOV, tables.address + BigInt(queryVector));
      point(query + MSGHDR.IOVLEN, 1n);
      point(query + MSGHDR.CONTROL, tables.address + BigInt(control.start + i * CONTROL_OCTETS));
      point(queryVector, messages.address + BigInt(this.queryStart(i)));
      point(queryVector + 8, BigInt(QUERY_OCTETS));
      const answer = answerHeaders.start + i * MMSGHDR_OCTETS;
      const answerVector = answerVectors.start + i * IOVEC_OCTETS;
      point(answer + MSGHDR.IOV, tables.address + BigInt(answerVector));
      point(answer + MSGHDR.IOVLEN, 1n);
      point(answerVector, messages.address + BigInt(this.answerStart(i)));
    }
  }

  /** Returns the offset of a query's buffer in `messages`. */
  queryStart(query: number): number {
    return query * QUERY_ROOM;
  }

  answerStart(answer: number): number {
    return BATCH * QUERY_ROOM + answer * this.#answerRoom;
  }

  queryLength(query: number): number {
    return this.#queryWords[query * MMSGHDR_WORDS + MSGHDR_WORD.LENGTH]!;
  }

  /** Resets the lengths of names and control messages before recvmmsg, since the kernel overwrites them. */
  reset(): void {
    for (let at = 0; at < this.#queryWords.length; at += MMSGHDR_WORDS) {
      this.#queryWords[at + MSGHDR_WORD.NAMELEN] = NAME_OCTETS;
      this.#queryWords[at + MSGHDR_WORD.CONTROLLEN] = CONTROL_OCTETS;
    }
  }

  sourcePort(query: number): number {
    const at = query * NAME_OCTETS + SOCKADDR.PORT;
    return (this.#names[at]! << 8) | this.#names[at + 1]!;
  }

  /** Writes the source address of a query in sixteen octets. */
  writeSource(query: number, { family }: BatchSocket, target: Uint8Array): void {
    const name = query * NAME_OCTETS;
    if (family === AF_INET6) {
      const address = name + SOCKADDR.IPV6_ADDRESS;
      for (let i = 0; i < 16; i++) target[i] = this.#names[address + i]!;
      return;
    }
    for (let i = 0; i < 10; i++) target[i] = 0;
    target[10] = 0xff;
    target[11] = 0xff;
    const address = name + SOCKADDR.IPV4_ADDRESS;
    for (let i = 0; i < 4; i++) target[12 + i] = this.#names[address + i]!;
  }

  /** Returns a copy of the origin, so that the query can be answered later from other buffers. */
  originOf(query: number): QueryOrigin {
    const header = query * MMSGHDR_WORDS;
    const name = query * NAME_OCTETS;
    const control = query * CONTROL_WORDS;
    return {
      name: this.#names.slice(name, name + NAME_OCTETS),
      nameLength: this.#queryWords[header + MSGHDR_WORD.NAMELEN]!,
      control: this.#controlWords.slice(control, control + CONTROL_WORDS),
      controlLength: this.#queryWords[header + MSGHDR_WORD.CONTROLLEN]!,
    };
  }

  /** Sets the origin of the first query. */
  setOrigin({ name, nameLength, control, controlLength }: QueryOrigin): void {
    this.#names.set(name);
    this.#queryWords[MSGHDR_WORD.NAMELEN] = nameLength;
    this.#controlWords.set(control);
    this.#queryWords[MSGHDR_WORD.CONTROLLEN] = controlLength;
  }

  /** Addresses an answer in its buffer to the source of the query. */
  address(answer: number, length: number, query: number, socket: BatchSocket): void {
    const from = query * MMSGHDR_WORDS;
    const to = answer * MMSGHDR_WORDS;
    const { NAME, NAMELEN, CONTROL, CONTROLLEN } = MSGHDR_WORD;
    const queries = this.#queryWords;
    const answers = this.#answerWords;
    answers[to + NAME] = queries[from + NAME]!;
    answers[to + NAME + 1] = queries[from + NAME + 1]!;
    answers[to + NAMELEN] = queries[from + NAMELEN]!;
    answers[to + CONTROL] = queries[from + CONTROL]!;
    answers[to + CONTROL + 1] = queries[from + CONTROL + 1]!;
    answers[to + CONTROLLEN] = queries[from + CONTROLLEN]!;
    this.#answerVectors[(answer * IOVEC_OCTETS) / 4 + IOVEC_LENGTH_WORD] = length;
    this.#forgetInterface(query, socket);
  }

  /** Frees the memory. The object must not be used afterwards. */
  free(): void {
    for (const memory of this.#memory) memory.free();
  }

  /** Removes the interface of a query, since the routing table decides the interface of the answer. */
  #forgetInterface(query: number, { family }: BatchSocket): void {
    const word = family === AF_INET6 ? IN6_PKTINFO_INTERFACE_WORD : IN_PKTINFO_INTERFACE_WORD;
    this.#controlWords[query * CONTROL_WORDS + word] = 0;
  }
}

function toWords(octets: Uint8Array): Uint32Array {
  return new Uint32Array(octets.buffer, octets.byteOffset, octets.length >> 2);
}
