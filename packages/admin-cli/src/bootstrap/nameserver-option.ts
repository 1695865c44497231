import { isIPv4 } from 'node:net';
import { ServiceError } from '@zonewright/service-kit';
import type { NameserverInput } from '@zonewright/zones';

/** DNS API s1: six nameservers, named ns1-1 to ns1-6 under the nameserver domain. */
export const DEFAULT_NAMESERVERS = ['ns1-1', 'ns1-2', 'ns1-3', 'ns1-4', 'ns1-5', 'ns1-6'];

/**
 * `ns1-1`, `ns1-1=192.0.2.1` or `ns1-1=192.0.2.1,2001:db8::1`, the addresses in any order.
 *
 * @throws ServiceError invalid
 */
export function parseNameserver(text: string): NameserverInput {
  const [name = '', addresses] = text.split('=', 2);
  const given = addresses?.split(',') ?? [];
  const ipv4 = given.filter((address) => isIPv4(address));
  const ipv6 = given.filter((address) => !isIPv4(address));
  if (ipv4.length > 1 || ipv6.length > 1) {
    throw new ServiceError(
      'invalid',
      `"${text}" gives a nameserver more than one address of a kind: write ns1-1=192.0.2.1,2001:db8::1`,
    );
  }
  return { name, ipv4: ipv4[0], ipv6: ipv6[0] };
}
