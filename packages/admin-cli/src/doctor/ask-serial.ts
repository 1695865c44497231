import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

const TIMEOUT_MS = 1_000;
const TRIES = 2;

/** Asks one nameserver, over UDP, for the serials in SOA records. */
export class SerialAsker {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  private constructor(address: string) {
    this.#resolver.setServers([address]);
  }

  /** @param target host:port, [IPv6]:port; the host may be a name */
  static async of(target: string): Promise<SerialAsker> {
    const [, host = '', port = '53'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(target) ?? [];
    const address = isIP(host) === 0 ? (await lookup(host)).address : host;
    return new SerialAsker(isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`);
  }

  /** @throws Error with the code of node:dns: ETIMEOUT, ECONNREFUSED, ENOTFOUND, EREFUSED ... */
  async ask(zone: string): Promise<number> {
    return (await this.#resolver.resolveSoa(zone.replace(/\.$/, ''))).serial;
  }
}
