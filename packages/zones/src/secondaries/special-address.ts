import { sourceNetwork } from '@zonewright/service-kit';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Networks that are not on the Internet: the blocks of IANA's special-purpose registries (RFC 6890) that are not
 * globally reachable, and multicast. The documentation networks of RFC 5737 and RFC 3849 are omitted: they are not
 * routed, and examples use them.
 */
const SPECIAL = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 96],
  // IPv4-translated addresses of SIIT (RFC 2765 s2.1), which no registry lists.
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  // Contains Teredo, benchmarking and ORCHID.
  ['2001::', 23],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv6');
}

/** Whether an address is not on the Internet. Services connect to addresses that tenants set. */
export function isSpecialAddress(address: string): boolean {
  if (address.includes('%')) return true;
  // A mapped address, or one behind NAT64 (64:ff9b::/96), leads to the IPv4 address in it.
  const reached = isIPv6(address) ? sourceNetwork(address) : address;
  return isIPv4(reached) ? SPECIAL.check(reached, 'ipv4') : SPECIAL.check(address, 'ipv6');
}
