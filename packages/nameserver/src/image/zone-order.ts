import type { LookupName } from '../wire/lookup-name.js';
import { copyOctets } from '../wire/octets.js';
import { MAX_LABELS, MAX_NAME_OCTETS } from '../wire/protocol.js';
import type { ImageView } from './image-reader.js';
import {
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  ORDER_BY_HASH,
  ORDER_ENTRY,
  ORDER_WORD,
  wordOfOffset,
  ZONE_WORD,
} from './layout.js';
import { apexLength } from './zone-block.js';

/** Returns the number of names in a signed zone's order. */
export function orderedNames(image: ImageView, zone: number): number {
  return image.words[orderOf(image, zone) + ORDER_WORD.NAMES]!;
}

/**
 * Returns the time at which the first signature of a signed zone expires, in seconds since 1970 (32 bits, RFC 4034
 * s3.1.5).
 */
export function signedUntil(image: ImageView, zone: number): number {
  return image.words[orderOf(image, zone) + ORDER_WORD.EXPIRATION]! >>> 0;
}

/** Returns the node at a position of a signed zone's order. */
export function orderedNode(image: ImageView, zone: number, place: number): number {
  return zone + image.words[entryOf(image, zone, place) + ORDER_ENTRY.NODE]!;
}

/**
 * Finds the node of a signed zone that has a name or precedes it in canonical order (RFC 4034 s6.1). Its NSEC lists
 * the types at the name, or proves that the name does not exist. The name is the ancestor of `name`, at or below the
 * apex, or the wildcard below it. Most of the search compares prefixes of keys and reads no nodes.
 */
export function findCovering(
  image: ImageView,
  zone: number,
  name: LookupName,
  ancestor: number,
  isWildcard: boolean,
): number {
  const { words } = image;
  readLabels(image, zone, name, ancestor, isWildcard);
  const begin = prefixOfLabels();
  const first = entryOf(image, zone, 0);
  // The apex comes first, so it is at or before each name.
  let low = 0;
  let high = orderedNames(image, zone);
  // Only few names are between the apex and its wildcard.
  const isOfApex = isWildcard && wantedLabels === 1 && high > 1;
  if (isOfApex && words[first + ORDER_ENTRY.WORDS + ORDER_ENTRY.PREFIX]! > begin) high = 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    const entry = first + middle * ORDER_ENTRY.WORDS;
    const other = words[entry + ORDER_ENTRY.PREFIX]!;
    const isBefore =
      other === begin
        ? compareToLabels(image, zone + words[entry + ORDER_ENTRY.NODE]!) <= 0
        : other < begin;
    if (isBefore) low = middle;
    else high = middle;
  }
  return zone + words[first + low * ORDER_ENTRY.WORDS + ORDER_ENTRY.NODE]!;
}

function orderOf(image: ImageView, zone: number): number {
  const offset = image.words[wordOfOffset(zone) + ZONE_WORD.ORDER_OFFSET]! & ~ORDER_BY_HASH;
  return wordOfOffset(zone + offset);
}

/** Returns the position in `words` of an entry of a signed zone's order. */
export function entryOf(image: ImageView, zone: number, place: number): number {
  return orderOf(image, zone) + ORDER_WORD.ENTRIES + place * ORDER_ENTRY.WORDS;
}

/** Octets of a key's prefix: the start of the form that canonicalKey() returns. */
export const PREFIX_OCTETS = 4;

/** Converts a word so that signed order equals unsigned order. */
export function toSortable(prefix: number): number {
  return prefix ^ 0x80000000;
}

/** Requested name: its labels below the apex, from right to left. Only one search runs at a time. */
const wanted = new Uint8Array(MAX_NAME_OCTETS + 2);
const wantedStarts = new Int32Array(MAX_LABELS + 1);
let wantedLabels = 0;
/** Offsets of the labels of a node's name, relative to the start of the name. */
const labelStarts = new Int32Array(MAX_LABELS + 1);
const ASTERISK = 0x2a;

function readLabels(
  image: ImageView,
  zone: number,
  name: LookupName,
  ancestor: number,
  isWildcard: boolean,
): void {
  const apexStart = name.length - apexLength(image, zone);
  let label = name.labels;
  while (name.starts[label] !== apexStart) label--;
  let end = 0;
  wantedLabels = 0;
  while (label > ancestor) {
    const start = name.starts[--label]!;
    const length = name.lower[start]!;
    wantedStarts[wantedLabels++] = end;
    copyOctets(wanted, end, name.lower, start, length + 1);
    end += length + 1;
  }
  if (!isWildcard) return;
  wantedStarts[wantedLabels++] = end;
  wanted[end] = 1;
  wanted[end + 1] = ASTERISK;
}

let prefix = 0;
let prefixOctets = 0;

/**
 * Returns the prefix of the requested name's canonicalKey(). A zero ends a label; zeros and ones in a label take two
 * octets.
 */
function prefixOfLabels(): number {
  prefix = 0;
  prefixOctets = 0;
  for (let label = 0; label < wantedLabels && prefixOctets < PREFIX_OCTETS; label++) {
    const start = wantedStarts[label]! + 1;
    const end = start + wanted[start - 1]!;
    for (let at = start; at < end && prefixOctets < PREFIX_OCTETS; at++) addOctet(wanted[at]!);
    addToPrefix(0);
  }
  while (prefixOctets < PREFIX_OCTETS) addToPrefix(0);
  return toSortable(prefix);
}

function addOctet(octet: number): void {
  addToPrefix(octet > 1 ? octet : 1);
  if (octet <= 1) addToPrefix(octet + 1);
}

function addToPrefix(octet: number): void {
  if (prefixOctets === PREFIX_OCTETS) return;
  prefix = (prefix << 8) | octet;
  prefixOctets++;
}

/** Compares the node's name with the requested name. Negative if the node's name comes first. */
function compareToLabels(image: ImageView, node: number): number {
  const { octets } = image;
  const start = node + NODE_NAME_OFFSET;
  const end = start + octets[node + NODE_NAME_LENGTH_OFFSET]!;
  let own = 0;
  for (let at = start; at < end; at += octets[at]! + 1) labelStarts[own++] = at - start;
  const common = own < wantedLabels ? own : wantedLabels;
  for (let label = 0; label < common; label++) {
    const order = compareLabel(octets, start + labelStarts[own - 1 - label]!, wantedStarts[label]!);
    if (order !== 0) return order;
  }
  return own - wantedLabels;
}

/** Compares labels as unsigned octets. A label precedes longer ones that start with it. */
function compareLabel(octets: Uint8Array, start: number, wantedStart: number): number {
  const length = octets[start]!;
  const wantedLength = wanted[wantedStart]!;
  const common = length < wantedLength ? length : wantedLength;
  for (let i = 1; i <= common; i++) {
    const order = octets[start + i]! - wanted[wantedStart + i]!;
    if (order !== 0) return order;
  }
  return length - wantedLength;
}
