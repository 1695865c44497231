import { isIPv6 } from 'node:net';
import { type Libc, systemError } from './libc.js';
import { ADDRESS_OCTETS, writeSourceAddress } from './source-address.js';

// Linux, the same on x86-64 and arm64.
const AF_INET = 2;
export const AF_INET6 = 10;
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

/** struct sockaddr_in: family, port, address; sockaddr_in6: family, port, flow, address, scope. */
export const SOCKADDR = {
  PORT: 2,
  IPV4_ADDRESS: 4,
  IPV4_OCTETS: 16,
  IPV6_ADDRESS: 8,
  IPV6_OCTETS: 28,
} as const;

/** How long a thread waits for messages before it looks whether it shall stop. */
export const WAIT_MS = 250;

/** A bound UDP socket, which any thread of this process may use. */
export interface BatchSocket {
  readonly fd: number;
  readonly family: typeof AF_INET | typeof AF_INET6;
  readonly port: number;
}

interface BatchSocketOptions {
  readonly receiveBufferOctets: number;
  /** On `::`: answer IPv4 too, which then has addresses of the form ::ffff:192.0.2.1. */
  readonly isDualStack: boolean;
}

/**
 * Opens and binds a socket of which several may share one address (SO_REUSEPORT): the kernel spreads clients over them.
 * On a wildcard each message comes with the address it was sent to, to be answered from (RFC 2181 s4). Throws the
 * system's error.
 */
export function openBatchSocket(
  libc: Libc,
  address: string,
  port: number,
  options: BatchSocketOptions,
): BatchSocket {
  const family = isIPv6(address) ? AF_INET6 : AF_INET;
  const fd = libc.socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw systemError(libc, 'socket', address);
  try {
    const setNumber = (level: number, name: number, value: number) => {
      const result = libc.setsockopt(fd, level, name, Int32Array.of(value), 4);
      if (result !== 0) throw systemError(libc, 'setsockopt', address);
    };
    setNumber(SOL_SOCKET, SO_REUSEPORT, 1);
    // Linux gives what it allows and says nothing.
    setNumber(SOL_SOCKET, SO_RCVBUF, options.receiveBufferOctets);
    setTimeouts(libc, fd, address);
    if (family === AF_INET6) setNumber(SOL_IPV6, IPV6_V6ONLY, options.isDualStack ? 0 : 1);
    if (address === '0.0.0.0') setNumber(SOL_IP, IP_PKTINFO, 1);
    if (address === '::') setNumber(SOL_IPV6, IPV6_RECVPKTINFO, 1);
    const name = toSockaddr(family, address, port);
    if (libc.bind(fd, name, name.length) !== 0) throw systemError(libc, 'bind', address);
    return { fd, family, port: boundPort(libc, fd, name) };
  } catch (error) {
    libc.close(fd);
    throw error;
  }
}

/** struct timeval: seconds and microseconds of 64 bits each. */
function setTimeouts(libc: Libc, fd: number, address: string): void {
  const time = new Uint8Array(BigInt64Array.of(0n, BigInt(WAIT_MS * 1_000)).buffer);
  for (const option of [SO_RCVTIMEO, SO_SNDTIMEO]) {
    if (libc.setsockopt(fd, SOL_SOCKET, option, time, time.length) !== 0) {
      throw systemError(libc, 'setsockopt', address);
    }
  }
}

function toSockaddr(family: number, address: string, port: number): Uint8Array {
  const octets = new Uint8Array(ADDRESS_OCTETS);
  writeSourceAddress(octets, address);
  const isV6 = family === AF_INET6;
  const name = new Uint8Array(isV6 ? SOCKADDR.IPV6_OCTETS : SOCKADDR.IPV4_OCTETS);
  name[0] = family;
  name[SOCKADDR.PORT] = port >> 8;
  name[SOCKADDR.PORT + 1] = port & 0xff;
  if (isV6) name.set(octets, SOCKADDR.IPV6_ADDRESS);
  else name.set(octets.subarray(12), SOCKADDR.IPV4_ADDRESS);
  return name;
}

function boundPort(libc: Libc, fd: number, name: Uint8Array): number {
  if (libc.getsockname(fd, name, Int32Array.of(name.length)) !== 0) {
    throw systemError(libc, 'getsockname');
  }
  return (name[SOCKADDR.PORT]! << 8) | name[SOCKADDR.PORT + 1]!;
}
