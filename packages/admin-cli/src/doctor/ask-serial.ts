import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { DnsTarget } from './dns-target.js';

const TIMEOUT_MS = 1_000;
const TRIES = 2;

/** Asks one nameserver, over UDP, for the serials in SOA records. */
export class SerialAsker {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  constructor({ address, port }: DnsTarget) {
    this.#resolver.setServers([isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`]);
  }

  /** @throws Error with the code of node:dns: ETIMEOUT, ECONNREFUSED, ENOTFOUND, EREFUSED ... */
  async ask(zone: string): Promise<number> {
    return (await this.#resolver.resolveSoa(zone.replace(/\.$/, ''))).serial;
  }
}
