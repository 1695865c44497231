import type { Server } from 'node:net';
import type { Logger } from '@zonewright/service-kit';
import { loadLibc, type Libc } from './libc.js';
import { giveWayToSecond, openSharedListener } from './shared-listener.js';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly backlog: number;
}

/** Lets a new process listen for TCP on the same address, and leaves it the clients at the end. */
export class PortSharing {
  readonly #libc: Libc;
  readonly #log: Logger;
  #fds: number[] = [];

  /** Throws where the system has no such calls, or koffi cannot be loaded. */
  constructor(log: Logger) {
    this.#libc = loadLibc();
    this.#log = log;
  }

  /** Throws, or has the listener emit, the system's error. */
  listen(listener: Server, { host, port, backlog }: ListenOptions, onListening: () => void): void {
    const fd = openSharedListener(this.#libc, host, port);
    // From here on it is the listener's to close.
    listener.listen({ fd }, backlog, onListening);
    this.#fds.push(fd);
  }

  /** New connections go to the other process from now on, if there is one. To be called before the listeners close. */
  giveWay(): void {
    const fds = this.#fds;
    this.#fds = [];
    for (const fd of fds) {
      if (giveWayToSecond(this.#libc, fd)) continue;
      this.#log.warn('connections that are made while a TCP listener closes may be refused');
    }
  }
}
