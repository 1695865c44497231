import type { Logger } from '@zonewright/service-kit';
import { listLocalAddresses } from '../transport/source-address.js';
import { UdpSocket, type UdpSocketOptions } from './udp-socket.js';
import type { UdpTransport } from '../transport/transport.js';

interface UdpDgramOptions extends UdpSocketOptions {
  /** Literal addresses. 0.0.0.0 and :: include all addresses of the machine. */
  readonly hosts: readonly string[];
  /** Lists the addresses that a wildcard currently includes. Tests pass another function. */
  readonly listAddresses?: typeof listLocalAddresses | undefined;
  readonly log: Logger;
}

/** Interval at which the addresses of the machine are read again. */
const WATCH_INTERVAL_MS = 3_000;

/**
 * UDP with node:dgram in the main thread. A response must be sent from the address of its query, or the client discards
 * it (RFC 2181 s4). On a wildcard socket the kernel chooses the address of the outgoing interface instead, and dgram
 * does not offer IP_PKTINFO. A wildcard therefore becomes one socket for each address of the machine, and the list of
 * addresses is read periodically.
 */
export class UdpDgramTransport implements UdpTransport {
  readonly #options: UdpDgramOptions;
  readonly #sockets = new Map<string, UdpSocket>();
  /** Addresses that could not be bound and have been reported. */
  readonly #refused = new Set<string>();
  #port = 0;
  #watchTimer: NodeJS.Timeout | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: UdpDgramOptions) {
    this.#options = options;
  }

  /** Rejects if a literal address, or every address of a wildcard, cannot be bound. */
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

  /** Opens and closes sockets to match the current addresses. */
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
      this.#options.log.info({ address }, 'an address was removed; no longer answering on it');
    }
    for (const address of wanted) await this.#tryToBind(address);
  }

  /**
   * Tries to bind a listed address, which may not be usable yet (IPv6 checks for duplicates first). The next reading of
   * the list retries it.
   */
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
      this.#options.log.warn({ err: error, address }, 'cannot answer on an address yet');
    }
  }

  /** Whether the transport is starting. A busy port then fails the start; later it affects only one address. */
  #isStarting(): boolean {
    return this.#watchTimer === undefined;
  }

  async #bind(address: string): Promise<void> {
    const socket = await UdpSocket.bind(address, this.#port, this.#options);
    this.#sockets.set(address, socket);
    // With port 0 the first socket gets a free port, and the others use the same.
    this.#port = socket.port;
  }
}

function familyOfWildcard(host: string): 'IPv4' | 'IPv6' | undefined {
  if (host === '0.0.0.0') return 'IPv4';
  return host === '::' ? 'IPv6' : undefined;
}
