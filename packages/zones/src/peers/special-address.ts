import { BlockList, isIP } from 'node:net';

/** Networks that are no place on the Internet (RFC 6890), IPv4 addresses in IPv6 among them. */
const SPECIAL = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv6');
}

/** Whether an address is none of the Internet: what the tenant names is asked and told by us. */
export function isSpecialAddress(address: string): boolean {
  return SPECIAL.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') || address.includes('%');
}
