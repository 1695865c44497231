import type { Server } from 'node:net';
import type { Logger } from '@zonewright/service-kit';
import { type Libc, loadLibc, systemError } from './libc.js';
import { AF_INET6, bindSocket, familyOf, setNumber } from './socket-address.js';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly backlog: number;
}

/** Lets a new process listen on the same TCP address, and leaves new clients to it at the end. */
export class PortSharing {
  readonly #libc: Libc;
  readonly #log: Logger;
  #fds: number[] = [];

  /** @throws Error if the system lacks these calls or koffi cannot be loaded */
  constructor(log: Logger) {
    this.#libc = loadLibc();
    this.#log = log;
  }

  /** @throws Error of the system; the listener may emit it instead */
  listen(listener: Server, { host, port, backlog }: ListenOptions, onListening: () => void): void {
    const fd = openSharedListener(this.#libc, host, port);
    // From now on, the listener owns the descriptor and closes it.
    listener.listen({ fd }, backlog, onListening);
    this.#fds.push(fd);
  }

  /** Leaves new connections to the other process, if there is one. It must be called before the listeners close. */
  giveWay(): void {
    const fds = this.#fds;
    this.#fds = [];
    for (const fd of fds) {
      if (giveWayToSecond(this.#libc, fd)) continue;
      this.#log.warn('new connections may be refused while a TCP listener closes');
    }
  }
}

// Linux, the same on x86-64 and arm64.
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_REUSEPORT = 15;
const SO_ATTACH_REUSEPORT_CBPF = 51;
const SOL_IPV6 = 41;
const IPV6_V6ONLY = 26;
/** struct sock_filter: code, jump if true, jump if false, constant; BPF_RET | BPF_K returns the constant. */
const BPF_RET_K = 0x06;
const SOCK_FILTER_OCTETS = 8;
/** struct sock_fprog: number of instructions, and their address. */
const SOCK_FPROG_OCTETS = 16;

/**
 * Opens and binds a TCP socket for `listen({ fd })` of node:net. A new process may listen on the same address
 * (SO_REUSEPORT); listeners of node:net itself cannot share a port in Node.js 20. Throws the system's error.
 */
function openSharedListener(libc: Libc, address: string, port: number): number {
  const family = familyOf(address);
  const fd = libc.socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw systemError(libc, 'socket', address);
  try {
    // The option is set as in node:net, so that lingering connections of an earlier process do not block the port.
    setNumber(libc, fd, SOL_SOCKET, SO_REUSEADDR, 1);
    setNumber(libc, fd, SOL_SOCKET, SO_REUSEPORT, 1);
    if (family === AF_INET6) setNumber(libc, fd, SOL_IPV6, IPV6_V6ONLY, 1);
    bindSocket(libc, fd, address, port);
    return fd;
  } catch (error) {
    libc.close(fd);
    throw error;
  }
}

/**
 * Makes the kernel give new connections to the listener that joined second, that of the next process. Connections that
 * are being made to this one are completed. The kernel runs a filter program to choose a listener, by the order in
 * which they joined. If there is no second listener, the result is ignored. When this listener closes, the other
 * becomes the first, and so on with each process that follows. Returns false if the kernel refused.
 */
function giveWayToSecond(libc: Libc, fd: number): boolean {
  const filter = libc.allocate(SOCK_FILTER_OCTETS);
  try {
    const instruction = new DataView(filter.octets.buffer, filter.octets.byteOffset);
    instruction.setUint16(0, BPF_RET_K, true);
    instruction.setUint16(2, 0, true);
    instruction.setUint32(4, 1, true);
    const program = new Uint8Array(SOCK_FPROG_OCTETS);
    const view = new DataView(program.buffer);
    view.setUint16(0, 1, true);
    view.setBigUint64(8, filter.address, true);
    return libc.setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, program, program.length) === 0;
  } finally {
    filter.free();
  }
}
