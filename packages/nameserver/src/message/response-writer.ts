import { RR_CLASS, RR_TYPE } from '@zonewright/dns-records';

import type { ImageReader } from '../image/image-reader.js';
import {
  firstRdata,
  nextRdata,
  rdataLength,
  rrsetRecords,
  rrsetType,
} from '../image/zone-block.js';
import {
  findCompressionTarget,
  CompressionTargets,
  MAX_POINTER_OFFSET,
  POINTER_FLAG,
  rememberNames,
  UNKNOWN_NAME,
} from '../wire/known-names.js';
import { LookupName, lowerCase, readLookupName } from '../wire/lookup-name.js';
import { copyOctets, copyViewed, readUint16, writeUint16 } from '../wire/octets.js';
import { HEADER_OCTETS, MAX_LABELS } from '../wire/protocol.js';
import {
  isRdataNameCompressible,
  NO_NAME,
  rdataNameCount,
  rdataNameOffset,
} from '../wire/rdata-names.js';

export const SECTION = { ANSWER: 0, AUTHORITY: 1, ADDITIONAL: 2 } as const;

export type Section = (typeof SECTION)[keyof typeof SECTION];

const POINTER_OCTETS = 2;
/** Octets of type, class, TTL and rdata length (RFC 1035 s4.1.3). */
const FIXED_OCTETS = 10;

/** The owner has no pointer and must be written in full. */
export const NO_POINTER = 0;

/**
 * A response under construction. RRsets are written completely or not at all (RFC 2181 s9): methods that would exceed
 * `limit` return false and leave the message unchanged.
 */
export class ResponseWriter {
  octets: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  /** Offset in `octets` of the start of the message. All other offsets are relative to it. */
  start = 0;
  /** Offset of the next octet to write. */
  end = 0;
  /** Maximum size of the message in octets. */
  limit = 0;
  section: Section = SECTION.ANSWER;
  /** Number of records in each section. */
  readonly counts = new Int32Array(3);
  readonly known = new CompressionTargets();
  readonly rdataName = new LookupName();
  /** Name in the question, which follows the header. Null after a CNAME, when the object contains another name. */
  question: LookupName | null = null;
  /** Offset of the owner of the last RRset. 0 if there is none. */
  ownerPointer = 0;
}

export function beginResponse(writer: ResponseWriter, octets: Uint8Array, start: number): void {
  if (writer.octets !== octets) {
    writer.octets = octets;
    writer.view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  }
  writer.start = start;
  writer.end = HEADER_OCTETS;
  writer.limit = 0;
  writer.section = SECTION.ANSWER;
  writer.counts[SECTION.ANSWER] = 0;
  writer.counts[SECTION.AUTHORITY] = 0;
  writer.counts[SECTION.ADDITIONAL] = 0;
  writer.known.count = 0;
  writer.question = null;
  writer.ownerPointer = NO_POINTER;
}

/** Sets the question of the message, which follows the header. */
export function noteQuestion(writer: ResponseWriter, question: LookupName): void {
  rememberNames(writer.known, question, 0, question.labels, HEADER_OCTETS);
  writer.question = question;
}

/** Returns a pointer to an ancestor of a name if it is the question's name; otherwise NO_POINTER. */
export function pointerToQuestion(
  writer: ResponseWriter,
  name: LookupName,
  ancestor: number,
): number {
  const isThere = name === writer.question && ancestor < name.labels;
  return isThere ? POINTER_FLAG | (HEADER_OCTETS + name.starts[ancestor]!) : NO_POINTER;
}

/**
 * Writes an RRset of the image into the current section. Its owner is an ancestor of the name. The TTL is a parameter
 * because the TTL of SOA depends on the kind of response.
 */
export function writeRrset(
  writer: ResponseWriter,
  image: ImageReader,
  rrset: number,
  owner: LookupName,
  ownerAncestor: number,
  ttl: number,
): boolean {
  writer.ownerPointer = pointerToQuestion(writer, owner, ownerAncestor);
  return writeRrsetOfSameOwner(writer, image, rrset, owner, ownerAncestor, ttl);
}

/** Writes an RRset with the same owner as the previous one. */
export function writeRrsetOfSameOwner(
  writer: ResponseWriter,
  image: ImageReader,
  rrset: number,
  owner: LookupName,
  ownerAncestor: number,
  ttl: number,
): boolean {
  const endBefore = writer.end;
  const knownBefore = writer.known.count;
  const type = rrsetType(image, rrset);
  const records = rrsetRecords(image, rrset);
  let rdata = firstRdata(rrset);
  let pointer = writer.ownerPointer;
  for (let i = 0; i < records; i++) {
    const ownerStart = writer.end;
    const isWritten =
      writeOwner(writer, owner, ownerAncestor, pointer) &&
      writeFixed(writer, type, RR_CLASS.IN, ttl) &&
      writeRdata(writer, image, type, rdata);
    if (!isWritten) {
      writer.end = endBefore;
      writer.known.count = knownBefore;
      return false;
    }
    if (pointer === NO_POINTER) pointer = pointerTo(writer, ownerStart);
    rdata = nextRdata(image, rdata);
  }
  writer.ownerPointer = pointer;
  countRecords(writer, writer.section, records);
  return true;
}

/**
 * Writes an RRset of one record, which most NSEC RRsets are. Its owner is one label of the image below a name that
 * the message already contains. That label occurs nowhere else in the message, so no compression target is searched
 * for.
 */
export function writeRecordBelow(
  writer: ResponseWriter,
  image: ImageReader,
  rrset: number,
  label: number,
  pointer: number,
  ttl: number,
): boolean {
  const start = writer.end;
  const type = rrsetType(image, rrset);
  const isWritten =
    writeOctets(writer, image.octets, label, image.octets[label]! + 1) &&
    writePointer(writer, pointer) &&
    writeFixed(writer, type, RR_CLASS.IN, ttl) &&
    writeRdata(writer, image, type, firstRdata(rrset));
  if (!isWritten) {
    writer.end = start;
    return false;
  }
  writer.ownerPointer = pointerTo(writer, start);
  countRecords(writer, writer.section, 1);
  return true;
}

/** Writes a synthesized CNAME into the current section. */
export function writeCname(
  writer: ResponseWriter,
  owner: LookupName,
  ttl: number,
  target: LookupName,
): boolean {
  const endBefore = writer.end;
  const knownBefore = writer.known.count;
  const pointer = pointerToQuestion(writer, owner, 0);
  if (
    writeOwner(writer, owner, 0, pointer) &&
    writeFixed(writer, RR_TYPE.CNAME, RR_CLASS.IN, ttl)
  ) {
    const start = writer.end;
    if (writeName(writer, target, 0)) {
      writeUint16(writer.octets, writer.start + start - 2, writer.end - start);
      countRecords(writer, writer.section, 1);
      return true;
    }
  }
  writer.end = endBefore;
  writer.known.count = knownBefore;
  return false;
}

/** Writes a TXT record of class CHAOS. Its TTL is 0, so it is not cached (RFC 4892 s3). */
export function writeChaosTxt(
  writer: ResponseWriter,
  owner: LookupName,
  rdata: Uint8Array,
): boolean {
  const endBefore = writer.end;
  const isWritten =
    writeName(writer, owner, 0) &&
    writeFixed(writer, RR_TYPE.TXT, RR_CLASS.CH, 0) &&
    writeOctets(writer, rdata, 0, rdata.length);
  if (!isWritten) {
    writer.end = endBefore;
    return false;
  }
  writeUint16(writer.octets, writer.start + writer.end - rdata.length - 2, rdata.length);
  countRecords(writer, SECTION.ANSWER, 1);
  return true;
}

function writeOwner(
  writer: ResponseWriter,
  owner: LookupName,
  ancestor: number,
  pointer: number,
): boolean {
  return pointer === NO_POINTER
    ? writeName(writer, owner, ancestor)
    : writePointer(writer, pointer);
}

function writePointer(writer: ResponseWriter, pointer: number): boolean {
  if (writer.end + POINTER_OCTETS > writer.limit) return false;
  writeUint16(writer.octets, writer.start + writer.end, pointer);
  writer.end += POINTER_OCTETS;
  return true;
}

/** Returns a pointer to the owner at `offset` for later records, or NO_POINTER if the offset is too large. */
function pointerTo(writer: ResponseWriter, offset: number): number {
  const first = readUint16(writer.octets, writer.start + offset);
  if (first >= POINTER_FLAG) return first;
  return offset <= MAX_POINTER_OFFSET ? POINTER_FLAG | offset : NO_POINTER;
}

/** Writes type, class and TTL, and reserves the rdata length, which writeRdata() sets. */
function writeFixed(writer: ResponseWriter, type: number, rrClass: number, ttl: number): boolean {
  if (writer.end + FIXED_OCTETS > writer.limit) return false;
  const at = writer.start + writer.end;
  writer.view.setInt32(at, (type << 16) | rrClass);
  writer.view.setInt32(at + 4, ttl);
  writer.end += FIXED_OCTETS;
  return true;
}

function writeRdata(
  writer: ResponseWriter,
  image: ImageReader,
  type: number,
  rdata: number,
): boolean {
  const start = rdata + 2;
  const length = rdataLength(image, rdata);
  const endBefore = writer.end;
  // No pointer refers to a DNAME: the CNAME that is made of it shares most of its name with the question.
  const isWritten =
    rdataNameOffset(type) === NO_NAME || type === RR_TYPE.DNAME
      ? writeImageOctets(writer, image, start, length)
      : writeRdataWithNames(writer, image, type, start, length);
  if (isWritten) writeUint16(writer.octets, writer.start + endBefore - 2, writer.end - endBefore);
  return isWritten;
}

function writeRdataWithNames(
  writer: ResponseWriter,
  image: ImageReader,
  type: number,
  start: number,
  length: number,
): boolean {
  if (type === RR_TYPE.SOA && writer.question !== null) {
    return writeSoaRdata(writer, image, writer.question, start, length);
  }
  const end = start + length;
  let at = start + rdataNameOffset(type);
  if (!writeOctets(writer, image.octets, start, at - start)) return false;
  for (let names = rdataNameCount(type); names > 0; names--) {
    at = readLookupName(writer.rdataName, image.octets, at, end);
    const isWritten = isRdataNameCompressible(type)
      ? writeName(writer, writer.rdataName, 0)
      : writeNameInFull(writer, writer.rdataName);
    if (!isWritten) return false;
  }
  return writeOctets(writer, image.octets, at, end - at);
}

/**
 * Writes the rdata of the SOA in a negative response. Its names rarely share a suffix with anything but the question,
 * so they are compared with the question only and never become compression targets.
 */
function writeSoaRdata(
  writer: ResponseWriter,
  image: ImageReader,
  question: LookupName,
  start: number,
  length: number,
): boolean {
  let at = start;
  for (let names = rdataNameCount(RR_TYPE.SOA); names > 0; names--) {
    at = writeNameBesideQuestion(writer, image.octets, at, question);
    if (at === NOT_WRITTEN) return false;
  }
  return writeImageOctets(writer, image, at, start + length - at);
}

const NOT_WRITTEN = -1;
/** Offset of the first octet of the name. */
const labelStarts = new Int32Array(MAX_LABELS + 1);

/**
 * Writes a name. Labels that it shares with the end of the question's name become a pointer. Returns the offset in
 * `octets` after the name.
 */
function writeNameBesideQuestion(
  writer: ResponseWriter,
  octets: Uint8Array,
  start: number,
  question: LookupName,
): number {
  let own = 0;
  let at = start;
  for (; octets[at] !== 0; at += octets[at]! + 1) labelStarts[own++] = at - start;
  labelStarts[own] = at - start;
  let common = question.labels;
  while (own > 0 && common > 0) {
    const label = start + labelStarts[own - 1]!;
    if (!isSameLabel(octets, label, question.lower, question.starts[common - 1]!)) break;
    own--;
    common--;
  }
  const isShared = common < question.labels;
  const inFull = labelStarts[own]!;
  if (!writeOctets(writer, octets, start, isShared ? inFull : inFull + 1)) return NOT_WRITTEN;
  const isWritten =
    !isShared || writePointer(writer, POINTER_FLAG | (HEADER_OCTETS + question.starts[common]!));
  return isWritten ? at + 1 : NOT_WRITTEN;
}

/** @param lower the name in lower case */
function isSameLabel(octets: Uint8Array, start: number, lower: Uint8Array, lowerStart: number) {
  const length = octets[start]!;
  for (let i = 0; i <= length; i++) {
    if (lowerCase(octets[start + i]!) !== lower[lowerStart + i]) return false;
  }
  return true;
}

/** Writes an ancestor of a name, with a pointer for the part that the message contains. */
function writeName(writer: ResponseWriter, name: LookupName, ancestor: number): boolean {
  let pointee = UNKNOWN_NAME;
  let to = ancestor;
  while (to < name.labels && pointee === UNKNOWN_NAME) {
    pointee = findCompressionTarget(writer.known, writer.octets, writer.start, name, to);
    if (pointee === UNKNOWN_NAME) to++;
  }
  const start = name.starts[ancestor]!;
  const length = name.starts[to]! - start;
  const offset = writer.end;
  if (offset + length + POINTER_OCTETS > writer.limit) return false;
  copyOctets(writer.octets, writer.start + offset, name.spelled, start, length);
  rememberNames(writer.known, name, ancestor, to, offset);
  writer.end = offset + length;
  const at = writer.start + writer.end;
  if (pointee === UNKNOWN_NAME) {
    writer.octets[at] = 0;
    writer.end += 1;
  } else {
    writeUint16(writer.octets, at, POINTER_FLAG | pointee);
    writer.end += POINTER_OCTETS;
  }
  return true;
}

/** Writes a name without compression. Later names may point to it. */
function writeNameInFull(writer: ResponseWriter, name: LookupName): boolean {
  const offset = writer.end;
  if (!writeOctets(writer, name.spelled, 0, name.length)) return false;
  rememberNames(writer.known, name, 0, name.labels, offset);
  return true;
}

/** Counts a record that another function has written. */
export function countRecords(writer: ResponseWriter, section: Section, records: number): void {
  writer.counts[section]! += records;
}

function writeImageOctets(
  writer: ResponseWriter,
  image: ImageReader,
  start: number,
  length: number,
): boolean {
  if (writer.end + length > writer.limit) return false;
  copyViewed(writer.view, writer.start + writer.end, image.view, start, length);
  writer.end += length;
  return true;
}

function writeOctets(
  writer: ResponseWriter,
  source: Uint8Array,
  start: number,
  length: number,
): boolean {
  if (writer.end + length > writer.limit) return false;
  copyOctets(writer.octets, writer.start + writer.end, source, start, length);
  writer.end += length;
  return true;
}
