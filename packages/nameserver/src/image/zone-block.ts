import { hashOfWildcardChild, type LookupName, spreadHash } from '../wire/lookup-name.js';
import { NOT_FOUND } from './directory.js';
import type { ImageView } from './image-reader.js';
import {
  EMPTY_SLOT,
  NODE_ALIGN_SHIFT,
  NODE_FLAGS_OFFSET,
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  NODE_OFFSET_BITS,
  NODE_OFFSET_MASK,
  NODE_RRSETS_OFFSET,
  RRSET_OCTETS_OFFSET,
  RRSET_RDATA_OFFSET,
  RRSET_RECORDS_OFFSET,
  RRSET_SIGNED_BIT,
  RRSET_TTL_MASK,
  RRSET_TTL_OFFSET,
  RRSET_TYPE_OFFSET,
  wordOfOffset,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from './layout.js';

/** Label `*` on the wire. */
const WILDCARD_LABEL_LENGTH = 1;
const ASTERISK = 0x2a;
const WILDCARD_LABEL_OCTETS = 2;

/** Returns the node of a name's ancestor, which is at or below the apex. */
export function findNode(
  image: ImageView,
  zone: number,
  name: LookupName,
  ancestor: number,
): number {
  const start = name.starts[ancestor]!;
  const length = relativeLength(image, zone, name, ancestor);
  const spread = spreadHash(name.hashes[ancestor]!);
  for (let position = spread; ; position++) {
    position = nextCandidate(image, zone, spread, position);
    const node = nodeAt(image, zone, position);
    if (node === NOT_FOUND) return NOT_FOUND;
    if (image.octets[node + NODE_NAME_LENGTH_OFFSET] !== length) continue;
    if (isSame(image.octets, node + NODE_NAME_OFFSET, name.lower, start, length)) return node;
  }
}

/** Returns the node of the wildcard below a name's ancestor, which is at or below the apex. */
export function findWildcardChild(
  image: ImageView,
  zone: number,
  name: LookupName,
  ancestor: number,
): number {
  const start = name.starts[ancestor]!;
  const length = relativeLength(image, zone, name, ancestor);
  const spread = spreadHash(hashOfWildcardChild(name.hashes[ancestor]!));
  const { octets } = image;
  for (let position = spread; ; position++) {
    position = nextCandidate(image, zone, spread, position);
    const node = nodeAt(image, zone, position);
    if (node === NOT_FOUND) return NOT_FOUND;
    if (octets[node + NODE_NAME_LENGTH_OFFSET] !== length + WILDCARD_LABEL_OCTETS) continue;
    const label = node + NODE_NAME_OFFSET;
    if (octets[label] !== WILDCARD_LABEL_LENGTH || octets[label + 1] !== ASTERISK) continue;
    if (isSame(octets, label + WILDCARD_LABEL_OCTETS, name.lower, start, length)) return node;
  }
}

/** Returns the octets of the ancestor's labels below the apex. */
function relativeLength(
  image: ImageView,
  zone: number,
  name: LookupName,
  ancestor: number,
): number {
  return name.length - image.octets[zone + ZONE_APEX_LENGTH_OFFSET]! - name.starts[ancestor]!;
}

/** Returns the next index position whose slot is empty or has the fingerprint of `spread`. */
function nextCandidate(image: ImageView, zone: number, spread: number, from: number): number {
  const { words } = image;
  const mask = words[wordOfOffset(zone) + ZONE_WORD.INDEX_MASK]!;
  const index = wordOfOffset(zone + words[wordOfOffset(zone) + ZONE_WORD.INDEX_OFFSET]!);
  const fingerprint = spread >>> NODE_OFFSET_BITS;
  for (let position = from & mask; ; position = (position + 1) & mask) {
    const entry = words[index + position]!;
    if (entry === EMPTY_SLOT || entry >>> NODE_OFFSET_BITS === fingerprint) return position;
  }
}

function nodeAt(image: ImageView, zone: number, position: number): number {
  const { words } = image;
  const index = wordOfOffset(zone + words[wordOfOffset(zone) + ZONE_WORD.INDEX_OFFSET]!);
  const entry = words[index + position]!;
  if (entry === EMPTY_SLOT) return NOT_FOUND;
  return zone + ((entry & NODE_OFFSET_MASK) << NODE_ALIGN_SHIFT);
}

function isSame(
  a: Uint8Array,
  aStart: number,
  b: Uint8Array,
  bStart: number,
  length: number,
): boolean {
  for (let i = 0; i < length; i++) {
    if (a[aStart + i] !== b[bStart + i]) return false;
  }
  return true;
}

export function apexNode(image: ImageView, zone: number): number {
  return zone + image.words[wordOfOffset(zone) + ZONE_WORD.APEX_NODE]!;
}

/** Returns the length of the apex's name with its root label. */
export function apexLength(image: ImageView, zone: number): number {
  return image.octets[zone + ZONE_APEX_LENGTH_OFFSET]!;
}

/** Returns the number of the apex's labels, without the root. */
export function apexLabels(image: ImageView, zone: number): number {
  let labels = 0;
  let at = zone + ZONE_APEX_NAME_OFFSET;
  for (let length = image.octets[at]!; length > 0; length = image.octets[at]!) {
    labels += 1;
    at += 1 + length;
  }
  return labels;
}

export function apexHash(image: ImageView, zone: number): number {
  return image.words[wordOfOffset(zone) + ZONE_WORD.APEX_HASH]!;
}

export function isSameApex(image: ImageView, zone: number, other: number): boolean {
  if (apexHash(image, zone) !== apexHash(image, other)) return false;
  const length = apexLength(image, zone);
  if (length !== apexLength(image, other)) return false;
  const apex = zone + ZONE_APEX_NAME_OFFSET;
  return isSame(image.octets, apex, image.octets, other + ZONE_APEX_NAME_OFFSET, length);
}

export function negativeTtl(image: ImageView, zone: number): number {
  return image.words[wordOfOffset(zone) + ZONE_WORD.NEGATIVE_TTL]!;
}

export function hasNodeFlag(image: ImageView, node: number, flag: number): boolean {
  return (image.octets[node + NODE_FLAGS_OFFSET]! & flag) !== 0;
}

export function findRrset(image: ImageView, node: number, type: number): number {
  let rrset = firstRrset(image, node);
  for (let left = rrsetCount(image, node); left > 0; left--) {
    if (rrsetType(image, rrset) === type) return rrset;
    rrset = nextRrset(image, rrset);
  }
  return NOT_FOUND;
}

/** Returns the number of RRsets, 0 for an empty non-terminal. */
export function rrsetCount(image: ImageView, node: number): number {
  return image.octets[node + NODE_RRSETS_OFFSET]!;
}

export function firstRrset(image: ImageView, node: number): number {
  return node + NODE_NAME_OFFSET + image.octets[node + NODE_NAME_LENGTH_OFFSET]!;
}

export function nextRrset(image: ImageView, rrset: number): number {
  return rrset + RRSET_RDATA_OFFSET + image.view.getInt32(rrset + RRSET_OCTETS_OFFSET);
}

export function rrsetType(image: ImageView, rrset: number): number {
  return image.view.getUint16(rrset + RRSET_TYPE_OFFSET);
}

export function rrsetRecords(image: ImageView, rrset: number): number {
  return image.view.getUint16(rrset + RRSET_RECORDS_OFFSET);
}

/** Returns the TTL, which has 31 bits (RFC 2181 s8). */
export function rrsetTtl(image: ImageView, rrset: number): number {
  return image.view.getInt32(rrset + RRSET_TTL_OFFSET) & RRSET_TTL_MASK;
}

/** Whether the RRset's RRSIG follows it. */
export function isSignedRrset(image: ImageView, rrset: number): boolean {
  return (image.octets[rrset + RRSET_TTL_OFFSET]! & RRSET_SIGNED_BIT) !== 0;
}

export function isSignedZone(image: ImageView, zone: number): boolean {
  return image.words[wordOfOffset(zone) + ZONE_WORD.ORDER_OFFSET] !== 0;
}

/** Returns the offset of the RRset's first record: two octets of length, then rdata. */
export function firstRdata(rrset: number): number {
  return rrset + RRSET_RDATA_OFFSET;
}

export function rdataLength(image: ImageView, rdata: number): number {
  return image.view.getUint16(rdata);
}

export function nextRdata(image: ImageView, rdata: number): number {
  return rdata + 2 + image.view.getUint16(rdata);
}

/** Parts that a patch has written into a copy of the previous block. */
export interface Written {
  /** Start of the new nodes, after the existing ones. */
  readonly nodesStart: number;
  readonly nodesEnd: number;
  /** Positions of changed words elsewhere, without the header. */
  readonly words: readonly number[];
}

export interface PatchedBlock {
  readonly octets: Uint8Array;
  /** Room for more nodes follows, up to the index. */
  readonly nodesEnd: number;
  /** Undefined if its layout differs from that of the previous block. */
  readonly written: Written | undefined;
}

/** Memory for a zone's next, patched block. */
export interface NextBlock {
  /** Returns memory with arbitrary content. For a signed zone it must be all zeros. */
  readonly take: (octets: number) => Uint8Array;
  /** Returns the octets to reserve for further patches after nodes of this size. Undefined if none are reserved. */
  readonly roomBehind?: ((octets: number) => number) | undefined;
  /** End of the nodes of the current block. Undefined if its index starts there. */
  readonly nodesEnd?: number | undefined;
  /** The block before the current one, which may be overwritten, and the changes of the current one. */
  readonly before?: { readonly block: Uint8Array; readonly written: Written } | undefined;
}
