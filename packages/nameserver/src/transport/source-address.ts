/*
 * Source addresses in sixteen octets, IPv4 as ::ffff:a.b.c.d, for cookies, rate limits and connection limits. The text
 * comes from the kernel through libuv, so it is always well-formed.
 */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { readUint16 } from '../wire/octets.js';

export const ADDRESS_OCTETS = 16;

const COLON = 0x3a;
const DOT = 0x2e;
const PERCENT = 0x25;

/** Writes the address. It does not allocate memory, since it runs for each UDP query. */
export function writeSourceAddress(target: Uint8Array, text: string): void {
  target.fill(0);
  if (text.includes(':')) {
    writeIpv6(target, text);
    return;
  }
  target[10] = 0xff;
  target[11] = 0xff;
  writeDottedQuad(target, 12, text, 0);
}

/** Whether this is an IPv4 address (RFC 4291 s2.5.5.2). */
export function isIpv4(address: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (address[i] !== 0) return false;
  return address[10] === 0xff && address[11] === 0xff;
}

function writeDottedQuad(target: Uint8Array, offset: number, text: string, start: number): void {
  let at = offset;
  let octet = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      target[at++] = octet;
      octet = 0;
    } else {
      octet = octet * 10 + (code - 0x30);
    }
  }
  target[at] = octet;
}

function writeIpv6(target: Uint8Array, text: string): void {
  let at = 0;
  let group = 0;
  let groupStart = 0;
  let gap = -1;
  let i = 0;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === PERCENT) break;
    if (code === DOT) {
      writeDottedQuad(target, at, text, groupStart);
      closeGap(target, gap, at + 4);
      return;
    }
    if (code !== COLON) {
      group = (group << 4) | hexDigit(code);
      continue;
    }
    if (i > groupStart) at = writeGroup(target, at, group);
    else if (i > 0) gap = at;
    group = 0;
    groupStart = i + 1;
  }
  if (i > groupStart) at = writeGroup(target, at, group);
  closeGap(target, gap, at);
}

function writeGroup(target: Uint8Array, at: number, group: number): number {
  target[at] = group >>> 8;
  target[at + 1] = group & 0xff;
  return at + 2;
}

/** Moves the groups after `::` to the end of the address. */
function closeGap(target: Uint8Array, gap: number, end: number): void {
  if (gap < 0 || end === ADDRESS_OCTETS) return;
  target.copyWithin(ADDRESS_OCTETS - (end - gap), gap, end);
  target.fill(0, gap, ADDRESS_OCTETS - (end - gap));
}

function hexDigit(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}

/** Returns the text of sixteen octets: dotted for IPv4, all groups for IPv6. */
export function sourceText(address: Uint8Array): string {
  if (isIpv4(address)) return address.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => readUint16(address, 2 * at).toString(16));
  return groups.join(':');
}

/** Number of bits before an IPv4 address in sixteen octets. */
const IPV4_PREFIX_BITS = 96;

/** Network of either family, as sixteen octets of which the first `bits` bits are compared. */
export interface Network {
  readonly octets: Uint8Array;
  readonly bits: number;
}

/** Reads a network such as 192.0.2.0/24. Undefined if it is not valid. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits = ''] = text.split('/');
  const family = isIP(address);
  const longest = family === 4 ? 32 : 128;
  if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > longest) return undefined;
  const octets = new Uint8Array(ADDRESS_OCTETS);
  writeSourceAddress(octets, address);
  return { octets, bits: Number(bits) + (family === 4 ? IPV4_PREFIX_BITS : 0) };
}

/**
 * Whether one of the networks contains this address of sixteen octets. It does not allocate memory, since it is called
 * for each answer in a flood.
 */
export function isInNetworks(address: Uint8Array, networks: readonly Network[]): boolean {
  for (const network of networks) if (isInNetwork(address, network)) return true;
  return false;
}

function isInNetwork(address: Uint8Array, { octets, bits }: Network): boolean {
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (address[i] !== octets[i]) return false;
  const mask = 0xff00 >> (bits & 7);
  return (bits & 7) === 0 || ((address[whole]! ^ octets[whole]!) & mask & 0xff) === 0;
}

/**
 * Returns the addresses of this machine that a wildcard includes. Link-local addresses are excluded: delegations cannot
 * contain them, and they may exist on each interface.
 */
export function listLocalAddresses(family: 'IPv4' | 'IPv6'): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((info) => info.family === family && !isLinkLocal(info.address))
    .map((info) => info.address);
}

/** Whether an address is in fe80::/10 (RFC 4291 s2.4). */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
