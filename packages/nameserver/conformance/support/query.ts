import { nameToWire, RR_CLASS, RR_TYPE, typeNumber } from '@zonewright/dns-records';

export interface OptionSpec {
  readonly code: number;
  readonly data: Uint8Array;
}

export interface EdnsSpec {
  readonly version?: number;
  readonly payloadOctets?: number;
  readonly isDnssecOk?: boolean;
  /** Other bits of the flags field, to show that they do no harm. */
  readonly flags?: number;
  readonly options?: readonly OptionSpec[];
}

export interface QuerySpec {
  /** The name and type, `www.example. A`, or with a class, `id.server. CH TXT`. */
  readonly question: string;
  readonly id?: number;
  readonly opcode?: number;
  /** Header flags in addition to the opcode, such as RD. */
  readonly flags?: number;
  readonly edns?: EdnsSpec | undefined;
}

const DEFAULT_ID = 0x1234;
const DEFAULT_PAYLOAD_OCTETS = 1232;
const DO_FLAG = 0x8000;

/** Returns a query in wire form. */
export function buildQuery(spec: QuerySpec): Buffer {
  const opt = spec.edns === undefined ? [] : [buildOpt(spec.edns)];
  const flags = ((spec.opcode ?? 0) << 11) | (spec.flags ?? 0);
  return buildMessage({
    id: spec.id,
    flags,
    questions: [buildQuestion(spec.question)],
    additionals: opt,
  });
}

interface MessageParts {
  readonly id?: number | undefined;
  readonly flags?: number;
  readonly questions?: readonly Uint8Array[];
  readonly answers?: readonly Uint8Array[];
  readonly authorities?: readonly Uint8Array[];
  readonly additionals?: readonly Uint8Array[];
}

/** Returns a message with any number of questions and records, including those that no normal client sends. */
export function buildMessage(parts: MessageParts): Buffer {
  const sections = [parts.questions, parts.answers, parts.authorities, parts.additionals].map(
    (section) => section ?? [],
  );
  const header = Buffer.alloc(12);
  header.writeUInt16BE(parts.id ?? DEFAULT_ID, 0);
  header.writeUInt16BE(parts.flags ?? 0, 2);
  sections.forEach((section, i) => header.writeUInt16BE(section.length, 4 + 2 * i));
  return Buffer.concat([header, ...sections.flat()]);
}

export function buildQuestion(text: string): Buffer {
  const words = text.split(' ');
  const [name = '', type = ''] = [words[0], words.at(-1)];
  const rrClass = words.length === 3 ? classNumber(words[1] ?? '') : RR_CLASS.IN;
  return Buffer.concat([nameToWire(name), uint16(typeNumber(type) ?? NaN), uint16(rrClass)]);
}

function classNumber(text: string): number {
  const known = (RR_CLASS as Readonly<Record<string, number>>)[text];
  return known ?? Number(text.replace('CLASS', ''));
}

/** Returns a record with exactly the given fields. */
export function buildRecord(
  owner: string,
  type: number,
  rrClass: number,
  ttl: number,
  rdata: Uint8Array,
): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(rrClass, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(rdata.length, 8);
  return Buffer.concat([nameToWire(owner), fixed, rdata]);
}

export function buildOpt(spec: EdnsSpec): Buffer {
  const flags = (spec.flags ?? 0) | (spec.isDnssecOk === true ? DO_FLAG : 0);
  const ttl = (spec.version ?? 0) * 0x10000 + flags;
  const options = (spec.options ?? []).map(buildOption);
  const payload = spec.payloadOctets ?? DEFAULT_PAYLOAD_OCTETS;
  return buildRecord('.', RR_TYPE.OPT, payload, ttl, Buffer.concat(options));
}

function buildOption({ code, data }: OptionSpec): Buffer {
  return Buffer.concat([uint16(code), uint16(data.length), data]);
}

export function uint16(value: number): Buffer {
  const octets = Buffer.alloc(2);
  octets.writeUInt16BE(value);
  return octets;
}
