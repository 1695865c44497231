import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { connect, isIPv6 } from 'node:net';
import {
  AA_FLAG,
  type Message,
  MessageSyntaxError,
  nameToWire,
  QR_FLAG,
  readMessage,
  RR_CLASS,
  typeNumber,
  writeMessage,
} from '@zonewright/dns-records';
import type { DnsAddress } from '../settings/address-settings.js';

/** Response of a nameserver. */
export interface QuestionAnswer {
  readonly message: Message;
  readonly isAuthoritative: boolean;
  readonly transport: 'udp' | 'tcp';
}

const TC_FLAG = 0x0200;
const OPT = 41;
/** RFC 9715. */
const PAYLOAD_OCTETS = 1_232;
/** Size of the length field before a message over TCP (RFC 1035 s4.2.2). */
const LENGTH_OCTETS = 2;

interface QuestionToAsk {
  readonly name: string;
  readonly type: string;
  /** Flags of the message, including its opcode (RFC 1035 s4.1.1); 0 is a query without recursion. */
  readonly flags?: number;
}

/** Asks over UDP, and over TCP for what does not fit. Undefined: nothing that is an answer came within `ms`. */
export async function sendQuestion(
  server: DnsAddress,
  { name, type, flags = 0 }: QuestionToAsk,
  ms: number,
): Promise<QuestionAnswer | undefined> {
  const until = performance.now() + ms;
  const id = randomInt(65_536);
  const question = { name: nameToWire(name), type: typeNumber(type) ?? 0, class: RR_CLASS.IN };
  const opt = { name: Uint8Array.of(0), type: OPT, class: PAYLOAD_OCTETS, ttl: 0 };
  const query = writeMessage({
    id,
    flags,
    questions: [question],
    additionals: [{ ...opt, rdata: new Uint8Array() }],
  });
  const read = (octets: Uint8Array) => readAnswer(octets, id);
  const short = await exchangeUdp(server, query, { read, ms });
  if (short === undefined) return undefined;
  const isCut = (short.flags & TC_FLAG) !== 0;
  const left = until - performance.now();
  const message = isCut ? await exchangeTcp(server, query, { read, ms: left }) : short;
  if (message === undefined) return undefined;
  const isAuthoritative = (message.flags & AA_FLAG) !== 0;
  return { message, isAuthoritative, transport: isCut ? 'tcp' : 'udp' };
}

interface Awaited {
  /** Undefined: it is none. */
  readonly read: (octets: Uint8Array) => Message | undefined;
  readonly ms: number;
}

function readAnswer(octets: Uint8Array, id: number): Message | undefined {
  try {
    const message = readMessage(octets);
    return message.id === id && (message.flags & QR_FLAG) !== 0 ? message : undefined;
  } catch (error) {
    if (error instanceof MessageSyntaxError) return undefined;
    throw error;
  }
}

function exchangeUdp(
  { host, port }: DnsAddress,
  query: Uint8Array,
  { read, ms }: Awaited,
): Promise<Message | undefined> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    const end = (answer?: Message) => {
      clearTimeout(timer);
      // An error that comes late is about nothing any more.
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(end, ms);
    socket.on('error', () => {
      end();
    });
    socket.on('message', (octets) => {
      const answer = read(octets);
      if (answer !== undefined) end(answer);
    });
    // Connected: the system lets in nothing from anywhere else, and tells when nobody listens.
    socket.connect(port, host, () => {
      socket.send(query);
    });
  });
}

function exchangeTcp(
  { host, port }: DnsAddress,
  query: Uint8Array,
  { read, ms }: Awaited,
): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let received = Buffer.alloc(0);
    const end = (answer?: Message) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
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
