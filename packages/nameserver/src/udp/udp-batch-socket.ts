import { type Libc, systemError } from '../transport/libc.js';
import {
  type AF_INET,
  AF_INET6,
  bindSocket,
  familyOf,
  setNumber,
  toSockaddr,
} from '../transport/socket-address.js';

// Linux, the same on x86-64 and arm64.
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const SOL_IP = 0;
const IP_PKTINFO = 8;
const SOL_IPV6 = 41;
const IPV6_V6ONLY = 26;
const IPV6_RECVPKTINFO = 49;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_REUSEPORT = 15;
const SO_RCVTIMEO = 20;
const SO_SNDTIMEO = 21;

/** Time for which a thread waits for messages before it checks whether it must stop. */
export const WAIT_MS = 250;

/** UDP socket, which any thread of this process may use. */
export interface BatchSocket {
  readonly fd: number;
  readonly family: typeof AF_INET | typeof AF_INET6;
  /** Address that the socket is, or will be, bound to. */
  readonly address: string;
  /** Whether a socket on `::` also answers IPv4, with addresses such as ::ffff:192.0.2.1. */
  readonly isDualStack: boolean;
}

interface BatchSocketOptions {
  readonly receiveBufferOctets: number;
  readonly isDualStack: boolean;
}

/**
 * Opens a socket. Several sockets can share an address (SO_REUSEPORT), and the kernel distributes clients among them.
 * On a wildcard address, each message contains the local address it was sent to, from which it is answered (RFC 2181
 * s4). The socket is not bound yet, so that no message arrives before somebody reads. Throws the system's error.
 */
export function openBatchSocket(
  libc: Libc,
  address: string,
  { receiveBufferOctets, isDualStack }: BatchSocketOptions,
): BatchSocket {
  const family = familyOf(address);
  const fd = libc.socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw systemError(libc, 'socket', address);
  try {
    setNumber(libc, fd, SOL_SOCKET, SO_REUSEPORT, 1);
    // Linux grants the allowed size without an error.
    setNumber(libc, fd, SOL_SOCKET, SO_RCVBUF, receiveBufferOctets);
    setTimeouts(libc, fd, address);
    if (family === AF_INET6) setNumber(libc, fd, SOL_IPV6, IPV6_V6ONLY, isDualStack ? 0 : 1);
    if (address === '0.0.0.0') setNumber(libc, fd, SOL_IP, IP_PKTINFO, 1);
    if (address === '::') setNumber(libc, fd, SOL_IPV6, IPV6_RECVPKTINFO, 1);
    return { fd, family, address, isDualStack };
  } catch (error) {
    libc.close(fd);
    throw error;
  }
}

/** Binds the socket. Returns the port, which differs if 0 was given. Throws the system's error. */
export function bindBatchSocket(libc: Libc, { fd, address }: BatchSocket, port: number): number {
  return bindSocket(libc, fd, address, port);
}

/**
 * Leaves new messages to the other sockets of the address, those of the next process. Messages in the queue can still
 * be received and answered. A connected UDP socket receives only messages of its peer, and this socket becomes its own
 * peer. Throws the system's error.
 */
export function leaveAddress(libc: Libc, socket: BatchSocket, port: number): void {
  const name = toSockaddr(ownAddress(socket), port);
  if (libc.connect(socket.fd, name, name.length) !== 0) {
    throw systemError(libc, 'connect', socket.address);
  }
}

/** Returns an address that reaches the socket itself and exists on the same machine. */
function ownAddress({ address, isDualStack }: BatchSocket): string {
  if (isDualStack) return '::ffff:127.0.0.1';
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** struct timeval: seconds and microseconds with 64 bits each. */
function setTimeouts(libc: Libc, fd: number, address: string): void {
  const time = new Uint8Array(BigInt64Array.of(0n, BigInt(WAIT_MS * 1_000)).buffer);
  for (const option of [SO_RCVTIMEO, SO_SNDTIMEO]) {
    if (libc.setsockopt(fd, SOL_SOCKET, option, time, time.length) !== 0) {
      throw systemError(libc, 'setsockopt', address);
    }
  }
}
