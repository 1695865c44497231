import {
  rdataFromWire,
  RR_CLASS,
  RR_TYPE,
  typeMnemonic,
  wireToName,
} from '@zonewright/dns-records';

import type { OptionSpec } from './query.js';

/**
 * A response in the form of a zone file. Reading is strict: octets that are left over, or names that loop, throw an
 * error.
 */
export interface Message {
  readonly id: number;
  readonly opcode: number;
  /** The response code with the extended bits of OPT. */
  readonly rcode: string;
  readonly rcodeNumber: number;
  /** The flags that are set, in the order of the header: `aa tc rd ra z ad cd`. */
  readonly flags: string;
  readonly questions: readonly string[];
  readonly answers: readonly string[];
  readonly authorities: readonly string[];
  /** The additional records without OPT. */
  readonly additionals: readonly string[];
  readonly opt: Opt | undefined;
  readonly octets: Buffer;
}

export interface Opt {
  readonly payloadOctets: number;
  readonly version: number;
  readonly flags: number;
  readonly options: readonly OptionSpec[];
}

const RCODES: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  9: 'NOTAUTH',
  16: 'BADVERS',
};

const FLAGS = ['aa', 'tc', 'rd', 'ra', 'z', 'ad', 'cd'];
const AA = 0x0400;
/** The offset of the first name in the rdata, and the number of names. */
const RDATA_NAMES: Readonly<Record<number, readonly [number, number]>> = {
  [RR_TYPE.NS]: [0, 1],
  [RR_TYPE.CNAME]: [0, 1],
  [RR_TYPE.PTR]: [0, 1],
  // NSD compresses these names, and RFC 3597, section 4, requires readers to accept that.
  [RR_TYPE.RP]: [0, 2],
  [RR_TYPE.AFSDB]: [2, 1],
  [RR_TYPE.SOA]: [0, 2],
  [RR_TYPE.MX]: [2, 1],
};

interface WireRecord {
  readonly owner: Buffer;
  readonly type: number;
  readonly rrClass: number;
  readonly ttl: number;
  readonly rdata: Buffer;
}

export function decodeMessage(octets: Buffer): Message {
  const reader = new Reader(octets);
  const [id, bits] = [reader.uint16(), reader.uint16()];
  const counts = [reader.uint16(), reader.uint16(), reader.uint16(), reader.uint16()];
  const questions = times(counts[0], () => reader.question());
  const [answers, authorities, additionals] = counts
    .slice(1)
    .map((count) => times(count, () => reader.record())) as [
    WireRecord[],
    WireRecord[],
    WireRecord[],
  ];
  if (reader.at !== octets.length) throw new Error('Octets are left over behind the last record.');
  const opts = additionals.filter(isOpt);
  if (opts.length > 1) throw new Error('More than one OPT.');
  const extended = (opts[0]?.ttl ?? 0) >>> 24;
  const rcode = (extended << 4) | (bits & 0x0f);
  return {
    id,
    opcode: (bits >> 11) & 0x0f,
    rcode: RCODES[rcode] ?? `RCODE${rcode}`,
    rcodeNumber: rcode,
    flags: FLAGS.filter((_, i) => (bits & (AA >> i)) !== 0).join(' '),
    questions,
    answers: answers.map(recordText),
    authorities: authorities.map(recordText),
    additionals: additionals.filter((record) => !isOpt(record)).map(recordText),
    opt: opts[0] && decodeOpt(opts[0]),
    octets,
  };
}

function times<T>(count: number | undefined, make: () => T): T[] {
  return Array.from({ length: count ?? 0 }, make);
}

function isOpt(record: WireRecord): boolean {
  return record.type === RR_TYPE.OPT;
}

function decodeOpt({ rrClass, ttl, rdata }: WireRecord): Opt {
  const options: OptionSpec[] = [];
  for (let at = 0; at < rdata.length;) {
    const length = rdata.readUInt16BE(at + 2);
    const data = rdata.subarray(at + 4, at + 4 + length);
    if (data.length !== length) throw new Error('An option runs past the end of OPT.');
    options.push({ code: rdata.readUInt16BE(at), data });
    at += 4 + length;
  }
  return { payloadOctets: rrClass, version: (ttl >> 16) & 0xff, flags: ttl & 0xffff, options };
}

function recordText({ owner, type, rrClass, ttl, rdata }: WireRecord): string {
  const typeAndData = `${typeMnemonic(type)} ${rdataText(type, rdata)}`;
  return `${wireToName(owner)} ${ttl} ${className(rrClass)} ${typeAndData}`;
}

function className(rrClass: number): string {
  if (rrClass === RR_CLASS.IN) return 'IN';
  return rrClass === RR_CLASS.CH ? 'CH' : `CLASS${rrClass}`;
}

function rdataText(type: number, rdata: Buffer): string {
  try {
    const { data, priority } = rdataFromWire(typeMnemonic(type), rdata);
    return priority === null ? data : `${priority} ${data}`;
  } catch {
    // Types without a text form here are written as in RFC 3597, section 5.
    return `\\# ${rdata.length} ${rdata.toString('hex')}`;
  }
}

class Reader {
  readonly #octets: Buffer;
  at = 0;

  constructor(octets: Buffer) {
    this.#octets = octets;
  }

  uint16(): number {
    this.at += 2;
    return this.#octets.readUInt16BE(this.at - 2);
  }

  question(): string {
    const name = wireToName(this.name());
    const [type, rrClass] = [this.uint16(), this.uint16()];
    const inClass = rrClass === RR_CLASS.IN ? '' : `${className(rrClass)} `;
    return `${name} ${inClass}${typeMnemonic(type)}`;
  }

  record(): WireRecord {
    const owner = this.name();
    const [type, rrClass] = [this.uint16(), this.uint16()];
    const ttl = this.uint16() * 0x10000 + this.uint16();
    const length = this.uint16();
    const end = this.at + length;
    if (end > this.#octets.length) throw new Error('Rdata runs past the end.');
    const rdata = this.#rdata(type, end);
    if (this.at !== end) throw new Error('Rdata and its length do not agree.');
    return { owner, type, rrClass, ttl, rdata };
  }

  /** Returns rdata with its names uncompressed. */
  #rdata(type: number, end: number): Buffer {
    const [offset, count] = RDATA_NAMES[type] ?? [end - this.at, 0];
    const parts = [this.#take(offset), ...times(count, () => this.name())];
    return Buffer.concat([...parts, this.#take(end - this.at)]);
  }

  #take(length: number): Buffer {
    this.at += length;
    return this.#octets.subarray(this.at - length, this.at);
  }

  /**
   * Returns an uncompressed name. Pointers must lead backwards, which also prevents loops (RFC 1035, section 4.1.4).
   */
  name(): Buffer {
    const labels: Buffer[] = [];
    let at = this.at;
    let limit = at;
    let end: number | undefined;
    for (;;) {
      const length = this.#octets.readUInt8(at);
      if (length >= 0xc0) {
        end ??= at + 2;
        at = this.#octets.readUInt16BE(at) & 0x3fff;
        if (at >= limit) throw new Error('A compression pointer does not lead backwards.');
        limit = at;
      } else {
        labels.push(this.#octets.subarray(at, at + 1 + length));
        at += 1 + length;
        if (length === 0) break;
      }
    }
    this.at = end ?? at;
    return Buffer.concat(labels);
  }
}
