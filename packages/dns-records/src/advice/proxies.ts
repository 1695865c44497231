import { BlockList, isIP } from 'node:net';
import { type Advice, type AdvisedRecord, point } from './advice.js';

/** Addresses of Cloudflare's proxies (https://www.cloudflare.com/ips/). */
const PROXIES = new BlockList();
for (const [network, length] of [
  ['103.21.244.0', 22],
  ['103.22.200.0', 22],
  ['103.31.4.0', 22],
  ['104.16.0.0', 13],
  ['104.24.0.0', 14],
  ['108.162.192.0', 18],
  ['131.0.72.0', 22],
  ['141.101.64.0', 18],
  ['162.158.0.0', 15],
  ['172.64.0.0', 13],
  ['173.245.48.0', 20],
  ['188.114.96.0', 20],
  ['190.93.240.0', 20],
  ['197.234.240.0', 22],
  ['198.41.128.0', 17],
] as const)
  PROXIES.addSubnet(network, length, 'ipv4');
for (const [network, length] of [
  ['2400:cb00::', 32],
  ['2405:8100::', 32],
  ['2405:b500::', 32],
  ['2606:4700::', 32],
  ['2803:f800::', 32],
  ['2a06:98c0::', 29],
  ['2c0f:f248::', 32],
] as const)
  PROXIES.addSubnet(network, length, 'ipv6');

/** Finds addresses that a proxy gave out for a domain that it served. They answer only while it serves the domain. */
export function adviseOnProxies(record: AdvisedRecord): Advice[] {
  const family = isIP(record.data);
  if (family === 0 || !PROXIES.check(record.data, family === 4 ? 'ipv4' : 'ipv6')) return [];
  return [
    point(
      record,
      'address-of-proxy',
      `The ${record.type} record of ${record.name} has the address ${record.data} of Cloudflare's proxy, not of your server: it stops working when the domain leaves Cloudflare.`,
      'Write the address of your server, which the records at Cloudflare show.',
    ),
  ];
}
