import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Network in CIDR form (RFC 4632 s3.1), or the reason why a text is not one. `fault` continues a sentence that begins
 * with the text.
 */
type NetworkReading = { readonly network: string } | { readonly fault: string };

const FORM = /^([0-9A-Fa-f.:]{2,45})\/(\d{1,3})$/;
const EXAMPLES = 'such as 192.0.2.0/24 or 2001:db8::/32';

/** Reads a network. Rejects an address with host bits. */
export function readNetwork(text: string): NetworkReading {
  const [, address = '', length = ''] = FORM.exec(text) ?? [];
  const octets = octetsOf(address);
  const bits = Number(length);
  if (octets.length === 0 || bits > octets.length * 8) {
    return { fault: `is not a network; write one ${EXAMPLES}` };
  }
  const hasHostBits = octets.some((octet, at) => (octet & hostMask(bits - at * 8)) !== 0);
  if (hasHostBits) {
    return { fault: `has host bits set after the first ${bits} bits; set them to zero` };
  }
  return { network: `${address.toLowerCase()}/${bits}` };
}

/** Returns the mask of the bits in a byte after the first `bits`. */
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

/** Whether an address is in one of the networks; true if there are no networks. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const list = lists.get(networks) ?? toList(networks);
  lists.set(networks, list);
  const [withoutZone = ''] = address.split('%');
  // An IPv4-mapped address (RFC 4291 s2.5.5.2) is compared as an IPv4 address.
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

/** Prefixes of IPv4-mapped addresses (RFC 4291 s2.5.5.2), and of IPv4 clients behind a translator (RFC 6052 s2.1). */
const IPV4_PREFIXES: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']);

/**
 * Returns the network by which a source address is counted (D-ACC-49). An IPv4 address is counted by itself, in any
 * spelling. An IPv6 address is counted by its /64, the smallest network of one customer.
 */
export function sourceNetwork(address: string): string {
  const groups = groupsOf(address);
  return ipv4Of(address, groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** Returns the larger network that one customer often has: a /24 of IPv4, a /48 of IPv6. */
export function sourceSite(address: string): string {
  const groups = groupsOf(address);
  const ipv4 = ipv4Of(address, groups);
  return ipv4 === undefined
    ? `${groups.slice(0, 3).join(':')}::/48`
    : `${ipv4.split('.').slice(0, 3).join('.')}.0/24`;
}

function ipv4Of(address: string, groups: readonly string[]): string | undefined {
  if (groups.length === 0) return address;
  if (!IPV4_PREFIXES.has(groups.slice(0, 6).join(':'))) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    })
    .join('.');
}

/** Returns the eight groups of an IPv6 address without leading zeros. Empty for other addresses. */
function groupsOf(address: string): string[] {
  if (!isIPv6(address)) return [];
  const [withoutZone = ''] = address.split('%');
  const [head = '', tail = ''] = withoutZone.split('::');
  const left = toGroups(head);
  const right = toGroups(tail);
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

function toGroups(text: string): string[] {
  return text
    .split(':')
    .filter((part) => part !== '')
    .flatMap((part) => {
      if (!part.includes('.')) return [Number.parseInt(part, 16).toString(16)];
      const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
      return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
    });
}
