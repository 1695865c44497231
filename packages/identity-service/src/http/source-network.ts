import { isIPv6 } from 'node:net';

/** The network that one customer usually has: a /24 of IPv4, a /64 of IPv6. */
export function sourceNetwork(address: string): string {
  if (!isIPv6(address)) return address.split('.').slice(0, 3).join('.');
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing = 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  const expanded = address.includes('::')
    ? [...groups, ...Array<string>(missing).fill('0'), ...tail.split(':')]
    : groups;
  return expanded.slice(0, 4).join(':');
}
