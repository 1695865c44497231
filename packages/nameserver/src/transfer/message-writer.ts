import {
  AA_FLAG,
  OPCODE,
  QR_FLAG,
  RR_CLASS,
  RR_TYPE,
  typeMnemonic,
  wireToName,
} from '@zonewright/dns-records';
import type { PlacedRecord } from '../compile/block-records.js';
import { MAX_POINTER_OFFSET, POINTER_FLAG } from '../wire/known-names.js';
import { copyOctets, writeUint16, writeUint32 } from '../wire/octets.js';
import { FLAG, HEADER_OCTETS, TCP_OCTETS } from '../wire/protocol.js';
import {
  isRdataNameCompressible,
  NO_NAME,
  rdataNameCount,
  rdataNameOffset,
} from '../wire/rdata-names.js';

/** Octets reserved for the names of key and algorithm, the longest MAC, the rest of a TSIG, and OPT. */
const RESERVED_OCTETS = 700;
const FIXED_OCTETS = 10;
const POINTER_OCTETS = 2;
const NOWHERE = -1;
/** OPT record: the root, type, payload size, no flags, no options (RFC 6891 s6.1.2). */
const OPT = Uint8Array.of(0, 0, RR_TYPE.OPT, 0x04, 0xd0, 0, 0, 0, 0, 0, 0);

/** Error: a record does not fit into any message, so secondaries cannot get the zone. */
export class TooLargeRecord extends Error {
  override readonly name = 'TooLargeRecord';

  constructor(owner: string, type: number, octets: number) {
    super(
      `the record ${owner} ${typeMnemonic(type)} of ${octets} bytes does not fit into a message`,
    );
  }
}

/** Parts of the question that all messages of a transfer need. */
export interface TransferQuestion {
  readonly id: number;
  /** Name in the case of the client. */
  readonly name: Uint8Array;
  readonly type: number;
  readonly isRecursionDesired: boolean;
  readonly hasEdns: boolean;
}

/**
 * Message of a transfer under construction (RFC 5936 s2.2). Owners and names in rdata point to the apex or to the
 * previous owner, if pointers can reach them. The cost of a record therefore does not depend on its position.
 */
export class TransferMessage {
  readonly #octets = Buffer.allocUnsafe(TCP_OCTETS);
  readonly #question: TransferQuestion;
  readonly #apex: Uint8Array;
  readonly #isFirst: boolean;
  #end = HEADER_OCTETS;
  #records = 0;
  /** Offsets of the apex and of the owner, written in full or up to a pointer. */
  #apexAt = NOWHERE;
  #ownerAt = NOWHERE;
  #ownerOctets: Uint8Array = new Uint8Array(0);
  #ownerStart = 0;
  #ownerLength = 0;

  /** @param apex apex in lower case; only the first message has the question (RFC 5936 s2.2.1) */
  constructor(question: TransferQuestion, apex: Uint8Array, isFirst: boolean) {
    this.#question = question;
    this.#apex = apex;
    this.#isFirst = isFirst;
    if (!isFirst) return;
    // A pointer would give the name the case that the client used.
    if (Buffer.compare(question.name, apex) === 0) this.#apexAt = this.#end;
    this.#write(question.name, 0, question.name.length);
    writeUint16(this.#octets, this.#end, question.type);
    writeUint16(this.#octets, this.#end + 2, RR_CLASS.IN);
    this.#end += 4;
  }

  /** Returns false if there is no room. A message without records has room for any record. */
  add(record: PlacedRecord): boolean {
    const { type, ttl, nameLength, rdataLength } = record;
    const most = nameLength + this.#apex.length + FIXED_OCTETS + rdataLength;
    if (this.#records > 0 && this.#end + most + RESERVED_OCTETS > TCP_OCTETS) return false;
    this.#writeOwner(record);
    const fixed = this.#end;
    writeUint16(this.#octets, fixed, type);
    writeUint16(this.#octets, fixed + 2, RR_CLASS.IN);
    writeUint32(this.#octets, fixed + 4, ttl);
    this.#end = fixed + FIXED_OCTETS;
    this.#writeRdata(record);
    if (this.#end + RESERVED_OCTETS > TCP_OCTETS) {
      throw new TooLargeRecord(this.#nameOf(record), type, rdataLength);
    }
    writeUint16(this.#octets, fixed + 8, this.#end - fixed - FIXED_OCTETS);
    this.#records++;
    return true;
  }

  /** Returns the message without TSIG. */
  finish(): Uint8Array {
    const { id, isRecursionDesired, hasEdns } = this.#question;
    const flags = QR_FLAG | AA_FLAG | (OPCODE.QUERY << 11) | (isRecursionDesired ? FLAG.RD : 0);
    const hasOpt = this.#isFirst && hasEdns;
    if (hasOpt) this.#write(OPT, 0, OPT.length);
    const counts = [id, flags, Number(this.#isFirst), this.#records, 0, Number(hasOpt)];
    counts.forEach((value, place) => {
      writeUint16(this.#octets, place * 2, value);
    });
    return this.#octets.subarray(0, this.#end);
  }

  /** Returns the full name of a record's owner as text. */
  #nameOf({ octets, nameStart, nameLength }: PlacedRecord): string {
    const labels = octets.subarray(nameStart, nameStart + nameLength);
    return wireToName(Buffer.concat([labels, this.#apex]));
  }

  #writeOwner({ octets, nameStart, nameLength }: PlacedRecord): void {
    if (nameLength === 0) {
      this.#writeApex();
      return;
    }
    if (this.#isOwner(octets, nameStart, nameLength)) {
      this.#writePointer(this.#ownerAt);
      return;
    }
    this.#ownerAt = this.#end <= MAX_POINTER_OFFSET ? this.#end : NOWHERE;
    this.#ownerOctets = octets;
    this.#ownerStart = nameStart;
    this.#ownerLength = nameLength;
    this.#write(octets, nameStart, nameLength);
    this.#writeApex();
  }

  /** Whether the name equals the previous owner, and a pointer can reach it. */
  #isOwner(octets: Uint8Array, start: number, length: number): boolean {
    if (this.#ownerAt === NOWHERE || this.#ownerLength !== length) return false;
    const [before, beforeStart] = [this.#ownerOctets, this.#ownerStart];
    for (let at = 0; at < length; at++) {
      if (before[beforeStart + at] !== octets[start + at]) return false;
    }
    return true;
  }

  #writeApex(): void {
    if (this.#apexAt !== NOWHERE) {
      this.#writePointer(this.#apexAt);
      return;
    }
    if (this.#end <= MAX_POINTER_OFFSET) this.#apexAt = this.#end;
    this.#write(this.#apex, 0, this.#apex.length);
  }

  #writePointer(offset: number): void {
    writeUint16(this.#octets, this.#end, POINTER_FLAG | offset);
    this.#end += POINTER_OCTETS;
  }

  #writeRdata({ octets, type, rdataStart, rdataLength }: PlacedRecord): void {
    const end = rdataStart + rdataLength;
    let at = rdataStart;
    if (isRdataNameCompressible(type) && rdataNameOffset(type) !== NO_NAME) {
      const nameStart = rdataStart + rdataNameOffset(type);
      this.#write(octets, at, nameStart - at);
      at = nameStart;
      for (let names = rdataNameCount(type); names > 0; names--) at = this.#writeName(octets, at);
    }
    this.#write(octets, at, end - at);
  }

  /** Writes a name with its case: it points to the apex only if the case is the same. */
  #writeName(octets: Uint8Array, start: number): number {
    let end = start;
    const apexLength = this.#apex.length;
    let suffix = NOWHERE;
    while (octets[end] !== 0) end += (octets[end] ?? 0) + 1;
    end += 1;
    for (let at = start; at < end; at += (octets[at] ?? 0) + 1) {
      if (end - at === apexLength) suffix = at;
    }
    const isBelow =
      suffix !== NOWHERE && Buffer.compare(octets.subarray(suffix, end), this.#apex) === 0;
    if (isBelow && this.#apexAt !== NOWHERE) {
      this.#write(octets, start, suffix - start);
      this.#writePointer(this.#apexAt);
    } else {
      this.#write(octets, start, end - start);
    }
    return end;
  }

  #write(octets: Uint8Array, start: number, length: number): void {
    copyOctets(this.#octets, this.#end, octets, start, length);
    this.#end += length;
  }
}
