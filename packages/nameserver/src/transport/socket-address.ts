import { isIPv6 } from 'node:net';
import { type Libc, systemError } from './libc.js';
import { ADDRESS_OCTETS, writeSourceAddress } from './source-address.js';

// Linux, the same on x86-64 and arm64.
export const AF_INET = 2;
export const AF_INET6 = 10;

/** struct sockaddr_in: family, port, address; sockaddr_in6: family, port, flow, address, scope. */
export const SOCKADDR = {
  PORT: 2,
  IPV4_ADDRESS: 4,
  IPV4_OCTETS: 16,
  IPV6_ADDRESS: 8,
  IPV6_OCTETS: 28,
} as const;

/** Returns the family of an address in text form. */
export function familyOf(address: string): typeof AF_INET | typeof AF_INET6 {
  return isIPv6(address) ? AF_INET6 : AF_INET;
}

/** Returns the structure for an address and a port in system calls. */
export function toSockaddr(address: string, port: number): Uint8Array {
  const octets = new Uint8Array(ADDRESS_OCTETS);
  writeSourceAddress(octets, address);
  const family = familyOf(address);
  const isV6 = family === AF_INET6;
  const name = new Uint8Array(isV6 ? SOCKADDR.IPV6_OCTETS : SOCKADDR.IPV4_OCTETS);
  name[0] = family;
  name[SOCKADDR.PORT] = port >> 8;
  name[SOCKADDR.PORT + 1] = port & 0xff;
  if (isV6) name.set(octets, SOCKADDR.IPV6_ADDRESS);
  else name.set(octets.subarray(12), SOCKADDR.IPV4_ADDRESS);
  return name;
}

/** Binds a socket. Returns its port, which differs if 0 was given. Throws the system's error. */
export function bindSocket(libc: Libc, fd: number, address: string, port: number): number {
  const name = toSockaddr(address, port);
  if (libc.bind(fd, name, name.length) !== 0) throw systemError(libc, 'bind', address);
  if (libc.getsockname(fd, name, Int32Array.of(name.length)) !== 0) {
    throw systemError(libc, 'getsockname', address);
  }
  return (name[SOCKADDR.PORT]! << 8) | name[SOCKADDR.PORT + 1]!;
}

/** Sets a numeric option of a socket. Throws the system's error. */
export function setNumber(libc: Libc, fd: number, level: number, name: number, value: number) {
  const result = libc.setsockopt(fd, level, name, Int32Array.of(value), 4);
  if (result !== 0) throw systemError(libc, 'setsockopt');
}
