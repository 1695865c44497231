import type { Logger } from '@zonewright/service-kit';
import { listLocalAddresses } from '../transport/source-address.js';
import { UdpSocket, type UdpSocketOptions } from './udp-socket.js';
import type { UdpTransport } from '../transport/transport.js';

interface UdpDgramOptions extends UdpSocketOptions {
  /** Literal addresses; 0.0.0.0 and :: stand for all addresses of the machine. */
  readonly hosts: readonly string[];
  /** Lists the addresses that a wildcard includes now; tests pass their own. */
  readonly listAddresses?: typeof listLocalAddresses | undefined;
  readonly log: Logger;
}

/** How soon an address that the machine has been given is answered on. */
const WATCH_INTERVAL_MS = 3_000;

/**
 * UDP by node:dgram, in the main thread.
 *
 * An answer must leave from the address that its query came to, or the client discards it (RFC 2181 s4). On a socket
 * bound to a wildcard the kernel picks the address of the outgoing interface instead, and dgram knows no IP_PKTINFO to
 * tell it otherwise. So a wildcard becomes one socket for each address of the machine, and the list is looked through
 * again and again for addresses that have come or gone.
 */
export class UdpDgramTransport implements UdpTransport {
  readonly #options: UdpDgramOptions;
  readonly #sockets = new Map<string, UdpSocket>();
  /** Addresses that could not be bound, each of which has been reported. */
  readonly #refused = new Set<string>();
  #port = 0;
  #watchTimer: NodeJS.Timeout | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: UdpDgramOptions) {
    this.#options = options;
  }

  /** Rejects when a literal address cannot be bound, or none at all. */
  async start(port: number): Promise<number> {
    this.#port = port;
    for (const address of this.#literalHosts()) await this.#bind(address);
    await this.#followAddresses();
    if (this.#sockets.size === 0) throw new Error('No address could be bound for UDP.');
    if (this.#hasWildcard()) {
      this.#watchTimer = setInterval(() => {
        this.#watching = this.#watching
          .then(() => this.#followAddresses())
          .catch((error: unknown) => {
            this.#options.log.warn(
              { err: error },
              'the addresses of this machine cannot be listed',
            );
          });
      }, WATCH_INTERVAL_MS);
    }
    return this.#port;
  }

  get addresses(): readonly string[] {
    return [...this.#sockets.keys()];
  }

  async stop(): Promise<void> {
    clearInterval(this.#watchTimer);
    this.#watchTimer = undefined;
    await this.#watching;
    await Promise.all([...this.#sockets.values()].map((socket) => socket.close()));
    this.#sockets.clear();
  }

  #literalHosts(): readonly string[] {
    return this.#options.hosts.filter((host) => familyOfWildcard(host) === undefined);
  }

  #hasWildcard(): boolean {
    return this.#options.hosts.some((host) => familyOfWildcard(host) !== undefined);
  }

  /** Makes the sockets those of the addresses that there are now. */
  async #followAddresses(): Promise<void> {
    const wanted = new Set(this.#literalHosts());
    const listAddresses = this.#options.listAddresses ?? listLocalAddresses;
    for (const host of this.#options.hosts) {
      const family = familyOfWildcard(host);
      if (family === undefined) continue;
      for (const address of listAddresses(family)) wanted.add(address);
    }
    for (const [address, socket] of this.#sockets) {
      if (wanted.has(address)) continue;
      this.#sockets.delete(address);
      await socket.close();
      this.#options.log.info({ address }, 'an address has gone; it is no longer answered on');
    }
    for (const address of wanted) await this.#tryToBind(address);
  }

  /** An address may be listed and not be usable yet (IPv6 looks for duplicates first): the next look finds it. */
  async #tryToBind(address: string): Promise<void> {
    if (this.#sockets.has(address)) return;
    try {
      await this.#bind(address);
      this.#refused.delete(address);
      this.#options.log.info({ address, port: this.#port }, 'answering over UDP');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && this.#isStarting()) throw error;
      if (this.#refused.has(address)) return;
      this.#refused.add(address);
      this.#options.log.warn({ err: error, address }, 'an address cannot be answered on yet');
    }
  }

  /** A port that is taken ends the start; later on it is one address's trouble. */
  #isStarting(): boolean {
    return this.#watchTimer === undefined;
  }

  async #bind(address: string): Promise<void> {
    const socket = await UdpSocket.bind(address, this.#port, this.#options);
    this.#sockets.set(address, socket);
    // The first socket may have been given a port; the others join it there.
    this.#port = socket.port;
  }
}

function familyOfWildcard(host: string): 'IPv4' | 'IPv6' | undefined {
  if (host === '0.0.0.0') return 'IPv4';
  return host === '::' ? 'IPv6' : undefined;
}
