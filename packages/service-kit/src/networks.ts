import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { groupsOf } from './source-network.js';

/** A network in CIDR form (RFC 4632 s3.1), or why a text is none; `fault` continues a sentence that begins with it. */
export type NetworkReading = { readonly network: string } | { readonly fault: string };

const FORM = /^([0-9A-Fa-f.:]{2,45})\/(\d{1,3})$/;
const EXAMPLES = 'such as 192.0.2.0/24 or 2001:db8::/32';

/** Reads a network; an address whose host bits are not zero names no network. */
export function readNetwork(text: string): NetworkReading {
  const [, address = '', length = ''] = FORM.exec(text) ?? [];
  const octets = octetsOf(address);
  const bits = Number(length);
  if (octets.length === 0 || bits > octets.length * 8) {
    return { fault: `is no network; write one ${EXAMPLES}` };
  }
  const hasHostBits = octets.some((octet, at) => (octet & hostMask(bits - at * 8)) !== 0);
  if (hasHostBits) {
    return { fault: `has host bits behind the ${bits} of the network; set them to zero` };
  }
  return { network: `${address.toLowerCase()}/${bits}` };
}

/** Which bits of an octet are behind the first `bits`. */
function hostMask(bits: number): number {
  return bits >= 8 ? 0 : 0xff >> Math.max(bits, 0);
}

function octetsOf(address: string): readonly number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  return groupsOf(address).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an address lies in one of the networks; none at all: every address does. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const list = lists.get(networks) ?? toList(networks);
  lists.set(networks, list);
  const [withoutZone = ''] = address.split('%');
  // An IPv4-mapped address (RFC 4291 s2.5.5.2) is compared as the IPv4 address that it is.
  return list.check(withoutZone, isIPv6(withoutZone) ? 'ipv6' : 'ipv4');
}

function toList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}
