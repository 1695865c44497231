import { isIPv6 } from 'node:net';
import { readUint16, uint16sToOctets } from './octets.js';

const QUAD = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

/**
 * Returns the 4 octets of a dotted quad. Undefined for other text: each number has one form, without leading zeros, so
 * that "1.2.3", "0x7f.1" and "192.0.2.01" are not addresses.
 */
export function ipv4ToOctets(text: string): Uint8Array | undefined {
  const parts = QUAD.exec(text);
  if (parts === null) return undefined;
  const octets = new Uint8Array(4);
  for (let at = 0; at < octets.length; at += 1) {
    const number = Number(parts[at + 1]);
    if (number > 0xff) return undefined;
    octets[at] = number;
  }
  return octets;
}

const GROUPS = 8;

/** Returns the 16 octets of an IPv6 address in any text form of RFC 4291 s2.2. Undefined for other text. */
export function ipv6ToOctets(text: string): Uint8Array | undefined {
  // node:net also accepts a zone id ("fe80::1%eth0"), which has no wire form.
  if (!isIPv6(text) || text.includes('%')) {
    return undefined;
  }
  const [head, tail] = withoutDottedQuad(text).split('::');
  const front = groupsOf(head!);
  const back = groupsOf(tail ?? '');
  const zeros = new Array<number>(GROUPS - front.length - back.length).fill(0);
  return uint16sToOctets(...front, ...zeros, ...back);
}

/**
 * Returns the text form of RFC 5952: lower case, with the longest run of zero groups omitted, and `::ffff:192.0.2.1`
 * (s5).
 */
export function octetsToIpv6(octets: Uint8Array): string {
  const groups = Array.from({ length: GROUPS }, (_, index) => readUint16(octets, index * 2));
  if (isIpv4Mapped(groups)) {
    return `::ffff:${octets.slice(12).join('.')}`;
  }
  const run = longestZeroRun(groups);
  if (run.length < 2) {
    return hex(groups);
  }
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

function withoutDottedQuad(text: string): string {
  if (!text.includes('.')) {
    return text;
  }
  const quadStart = text.lastIndexOf(':') + 1;
  const [a, b, c, d] = text.slice(quadStart).split('.').map(Number);
  return text.slice(0, quadStart) + hex([a! * 256 + b!, c! * 256 + d!]);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}

function hex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}

function isIpv4Mapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

/** Finds the longest run of zero groups, or the first of several (RFC 5952 s4.2.3). */
function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  groups.forEach((group, index) => {
    if (group !== 0) {
      start = index + 1;
    } else if (index + 1 - start > longest.length) {
      longest = { start, length: index + 1 - start };
    }
  });
  return longest;
}
