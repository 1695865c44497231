import type { NameserverStatus } from '@zonewright/zones';
import type { DnsAddress } from '../settings/address-settings.js';

const DNS_PORT = 53;

/** Returns the address at which to ask a nameserver of this service; undefined if it has none. */
export function addressOf(
  { name, ipv4, ipv6 }: Pick<NameserverStatus, 'name' | 'ipv4' | 'ipv6'>,
  {
    nameserverAddresses,
  }: {
    /** Instead of their addresses, by their names. */
    readonly nameserverAddresses: ReadonlyMap<string, DnsAddress>;
  },
): DnsAddress | undefined {
  const configured =
    nameserverAddresses.get(name) ?? nameserverAddresses.get(name.split('.')[0] ?? '');
  const host = ipv4 ?? ipv6;
  return configured ?? (host === null ? undefined : { host, port: DNS_PORT });
}

export function textOf({ host, port }: DnsAddress): string {
  return `${host}:${port}`;
}
