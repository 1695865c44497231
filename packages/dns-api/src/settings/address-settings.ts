import { isIP } from 'node:net';
import { type DnsAddress, list, optionalText, type Setting } from '@zonewright/service-kit';

const DNS_PORT = 53;

/** Reads an address with an optional port, by default 53: 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353. */
export function optionalDnsAddress(
  variable: string,
  options: { readonly help: string },
): Setting<DnsAddress | undefined> {
  return {
    ...optionalText(variable, options),
    fallback: { value: undefined },
    parse: (text) => {
      const address = parseAddress(text);
      if (address !== undefined && isIP(address.host) !== 0) return address;
      throw new Error(`must be an IP address, with or without a port, not "${text}"`);
    },
  };
}

/** Reads entries of the form name=host:port, separated by commas. */
export function dnsAddressesByName(
  variable: string,
  options: { readonly help: string },
): Setting<ReadonlyMap<string, DnsAddress>> {
  const words = list(variable, { ...options, default: [] });
  return {
    ...words,
    fallback: { value: new Map() },
    parse: (text) =>
      new Map(
        words.parse(text).map((word) => {
          const [name = '', rest = ''] = word.split('=');
          const address = parseAddress(rest);
          if (name !== '' && address !== undefined) return [name, address];
          throw new Error(`must be a list of name=host:port, not "${word}"`);
        }),
      ),
  };
}

function parseAddress(text: string): DnsAddress | undefined {
  if (isIP(text) !== 0) return { host: text, port: DNS_PORT };
  const parts = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text);
  const host = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3] ?? DNS_PORT);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}
