import { isIP } from 'node:net';
import { type Keyring, parseKeyring } from '@zonewright/database';
import { list, optionalText, type Setting } from '@zonewright/service-kit';
import { type Network, parseNetwork } from '../transport/source-address.js';

/** SipHash-2-4 needs a key of 128 bits (RFC 9018 s4.1). */
const COOKIE_SECRET = /^[0-9a-fA-F]{32}$/;

/** Addresses to listen on. They are literal, since a name may resolve to other addresses later. */
export function addresses(
  variable: string,
  options: { readonly help: string; readonly default: readonly string[] },
): Setting<readonly string[]> {
  const words = list(variable, options);
  return {
    ...words,
    parse: (text) => {
      const hosts = words.parse(text);
      if (hosts.length === 0) throw new Error('must contain at least one address');
      for (const host of hosts) {
        if (isIP(host) === 0) throw new Error(`must contain IP addresses only, not "${host}"`);
      }
      return hosts;
    },
  };
}

/** Networks in the form 192.0.2.0/24. */
export function networks(
  variable: string,
  options: { readonly help: string; readonly default: readonly string[] },
): Setting<readonly Network[]> {
  const words = list(variable, options);
  return {
    ...words,
    fallback: { value: toNetworks(options.default) },
    parse: (text) => toNetworks(words.parse(text)),
  };
}

function toNetworks(prefixes: readonly string[]): readonly Network[] {
  return prefixes.map((prefix) => {
    const network = parseNetwork(prefix);
    if (network !== undefined) return network;
    throw new Error(`must contain networks such as 192.0.2.0/24 or 2001:db8::/32, not "${prefix}"`);
  });
}

/** Setting with DNS cookie secrets. Empty if it is not set. */
export function cookieSecrets(
  variable: string,
  options: { readonly help: string },
): Setting<readonly Uint8Array[]> {
  return {
    ...optionalText(variable, { ...options, secret: true }),
    fallback: { value: [] },
    parse: (text) =>
      text.split(',').map((word) => {
        if (!COOKIE_SECRET.test(word.trim()))
          throw new Error('must contain secrets of 32 hexadecimal digits');
        return Buffer.from(word.trim(), 'hex');
      }),
  };
}

/** Setting with keys that decrypt secrets in the database. */
export function keyring(
  variable: string,
  options: { readonly help: string },
): Setting<Keyring | undefined> {
  return {
    ...optionalText(variable, { ...options, secret: true }),
    fallback: { value: undefined },
    parse: parseKeyring,
  };
}
