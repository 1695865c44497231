import type { NameserverAddress } from '@zonewright/testkit';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Relay at the address of a delegation: forwards UDP queries to the current nameservers, one after the other. */
export class DelegationRelay {
  readonly address: NameserverAddress;
  /** Current nameservers. */
  targets: readonly NameserverAddress[] = [];
  readonly #socket: Socket;
  readonly #waiting = new Set<Socket>();
  #asked = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.address = { host: '127.0.0.1', port: socket.address().port };
    socket.on('message', (query, { address, port }) => {
      const target = this.targets[this.#asked++ % this.targets.length];
      if (target === undefined) return;
      const out = createSocket('udp4');
      this.#waiting.add(out);
      out.on('message', (answer) => {
        socket.send(answer, port, address);
        this.#end(out);
      });
      out.on('error', () => {
        this.#end(out);
      });
      out.send(query, target.port, target.host);
    });
  }

  static async start(): Promise<DelegationRelay> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DelegationRelay(socket);
  }

  stop(): void {
    this.#socket.close();
    for (const out of this.#waiting) out.close();
    this.#waiting.clear();
  }

  #end(out: Socket): void {
    if (this.#waiting.delete(out)) out.close();
  }
}
