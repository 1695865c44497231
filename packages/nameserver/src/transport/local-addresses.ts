import { networkInterfaces } from 'node:os';

/**
 * The addresses of this machine that a wildcard stands for. Link-local ones are left out: no delegation can name
 * them, and they exist once for each interface.
 */
export function listLocalAddresses(family: 'IPv4' | 'IPv6'): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((info) => info.family === family && !isLinkLocal(info.address))
    .map((info) => info.address);
}

/** fe80::/10 (RFC 4291 s2.4). */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
