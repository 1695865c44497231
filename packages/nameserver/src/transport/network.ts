import { isIP } from 'node:net';
import { ADDRESS_OCTETS, writeSourceAddress } from './source-address.js';

/** Bits in front of an IPv4 address that is written in sixteen octets. */
const IPV4_PREFIX_BITS = 96;

/** A network of either family, as sixteen octets of which the first `bits` bits count. */
export interface Network {
  readonly octets: Uint8Array;
  readonly bits: number;
}

/** Reads the form 192.0.2.0/24; undefined if it is none. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits = ''] = text.split('/');
  const family = isIP(address);
  const longest = family === 4 ? 32 : 128;
  if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > longest) return undefined;
  const octets = new Uint8Array(ADDRESS_OCTETS);
  writeSourceAddress(octets, address);
  return { octets, bits: Number(bits) + (family === 4 ? IPV4_PREFIX_BITS : 0) };
}

/** Does one of the networks hold this address of sixteen octets? Without allocation: asked for each answer in a flood. */
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
