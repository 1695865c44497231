import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';

/** Address of a DNS server, for UDP and TCP. */
export interface DnsAddress {
  /** Host name or IP address. A name is resolved. */
  readonly host: string;
  readonly port: number;
}

/** A message to send, and how to recognize its response. */
export interface DnsExchange<T> {
  readonly query: Uint8Array;
  /** Returns undefined if the message is not the response. */
  readonly read: (octets: Buffer) => T | undefined;
  /** Time limit of the exchange in milliseconds. */
  readonly ms: number;
}

/** Size of the length field before a message over TCP (RFC 1035 s4.2.2). */
const LENGTH_OCTETS = 2;

/** Resolves to undefined if no response arrives in time, or if nobody listens. */
export function exchangeOverUdp<T>(
  { host, port }: DnsAddress,
  { query, read, ms }: DnsExchange<T>,
): Promise<T | undefined> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    const end = (response?: T) => {
      clearTimeout(timer);
      // An error after the result must not end the process.
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(response);
    };
    const timer = setTimeout(end, ms);
    socket.on('error', () => {
      end();
    });
    socket.on('message', (octets) => {
      const response = read(octets);
      if (response !== undefined) end(response);
    });
    // A connected socket receives nothing from other addresses, and gets an error if nobody listens.
    socket.connect(port, host, () => {
      socket.send(query);
    });
  });
}

/** Resolves to undefined if no response arrives in time, or if the connection fails. */
export function exchangeOverTcp<T>(
  { host, port }: DnsAddress,
  { query, read, ms }: DnsExchange<T>,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let received = Buffer.alloc(0);
    const end = (response?: T) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(response);
    };
    const timer = setTimeout(end, Math.max(1, ms));
    socket.on('error', () => {
      end();
    });
    socket.on('close', () => {
      end();
    });
    socket.on('data', (octets) => {
      received = Buffer.concat([received, octets]);
      const length = received.length < LENGTH_OCTETS ? Infinity : received.readUInt16BE(0);
      if (received.length < LENGTH_OCTETS + length) return;
      end(read(received.subarray(LENGTH_OCTETS, LENGTH_OCTETS + length)));
    });
    const length = Buffer.alloc(LENGTH_OCTETS);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
  });
}
