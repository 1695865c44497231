import dnsPacket, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { randomInt } from 'node:crypto';

/** Address of a nameserver, for UDP and TCP. */
export interface NameserverAddress {
  readonly host: string;
  readonly port: number;
}

/** Response with the members that tests of whole services need. */
export interface DnsResponse {
  /** RCODE: NOERROR, NXDOMAIN, REFUSED, SERVFAIL ... */
  readonly rcode: string;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** Flag AD: the server has validated the answer (RFC 4035 s3.2.3). */
  readonly isAuthentic: boolean;
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
  readonly additionals: readonly Answer[];
}

interface AskOptions {
  readonly transport?: 'udp' | 'tcp';
  readonly timeoutMs?: number;
  /** Whether to request the AD flag. */
  readonly isValidated?: boolean;
}

const DEFAULT_TIMEOUT_MS = 2_000;
/** Time limit over TCP. Nothing is lost there, so only a busy machine is slow. */
const TCP_TIMEOUT_MS = 10_000;
/** Flag in bits 15-0 of the header's second word. RCODE is the last four bits (RFC 1035 s4.1.1). */
const RECURSION_DESIRED = 0x0100;
/** Flag in a query: the client supports AD (RFC 6840 s5.7). */
const AUTHENTIC_DATA = 0x0020;

/** Sends one query, as a resolver does. @throws Error if no answer arrives in time */
export async function sendQuery(
  server: NameserverAddress,
  name: string,
  type: RecordType,
  options: AskOptions = {},
): Promise<DnsResponse> {
  const query = dnsPacket.encode({
    type: 'query',
    id: randomInt(65_536),
    flags: RECURSION_DESIRED | (options.isValidated === true ? AUTHENTIC_DATA : 0),
    questions: [{ name, type }],
  });
  const send = options.transport === 'tcp' ? exchangeTcp : exchangeUdp;
  const response = await send(server, query, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  return toResponse(dnsPacket.decode(response));
}

/** Sends any data, and returns the first datagram that is received. */
export async function exchangeUdp(
  server: NameserverAddress,
  message: Uint8Array,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<Buffer> {
  const socket = createSocket(server.host.includes(':') ? 'udp6' : 'udp4');
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`No UDP answer within ${timeoutMs} ms.`));
      }, timeoutMs);
      socket.once('error', reject);
      socket.once('message', resolve);
      socket.send(message, server.port, server.host);
    });
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

/** Sends one message over a new connection, with its length before it (RFC 1035 s4.2.2). */
export async function exchangeTcp(
  server: NameserverAddress,
  message: Uint8Array,
  timeoutMs = TCP_TIMEOUT_MS,
): Promise<Buffer> {
  const socket = connect(server.port, server.host);
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      let received = Buffer.alloc(0);
      socket.setTimeout(timeoutMs, () => {
        reject(new Error(`No TCP answer within ${timeoutMs} ms.`));
      });
      socket.once('error', reject);
      socket.once('close', () => {
        reject(new Error('The connection was closed without an answer.'));
      });
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        const length = received.length < 2 ? Infinity : received.readUInt16BE(0);
        if (received.length >= length + 2) resolve(received.subarray(2, length + 2));
      });
      const framed = Buffer.alloc(message.length + 2);
      framed.writeUInt16BE(message.length, 0);
      framed.set(message, 2);
      socket.write(framed);
    });
  } finally {
    socket.destroy();
  }
}

/** Number of outstanding queries on a connection. BIND reads about 23 ahead. */
const PIPELINED = 64;

/**
 * Sends many messages over one connection, several at a time (RFC 7766 s6.2.1.1), which costs a tenth of a connection
 * for each. The ids of the messages are replaced.
 *
 * @returns the answers in the order of the messages
 */
export async function exchangeAllTcp(
  server: NameserverAddress,
  messages: readonly Uint8Array[],
  timeoutMs = TCP_TIMEOUT_MS,
): Promise<Buffer[]> {
  const answers: Buffer[] = [];
  for (let at = 0; at < messages.length; at += MAX_IDS) {
    const some = messages.slice(at, at + MAX_IDS);
    answers.push(...(await exchangeByIds(server, some, timeoutMs)));
  }
  return answers;
}

const MAX_IDS = 0x8000;

async function exchangeByIds(
  server: NameserverAddress,
  messages: readonly Uint8Array[],
  timeoutMs: number,
): Promise<Buffer[]> {
  const answers: (Buffer | undefined)[] = messages.map(() => undefined);
  const socket = connect(server.port, server.host);
  socket.setNoDelay(true);
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`No answer in ${timeoutMs} ms.`)));
  let sent = 0;
  let received = 0;
  const send = () => {
    for (const message of messages.slice(sent, received + PIPELINED)) {
      socket.write(frameWithId(message, sent));
      sent++;
    }
  };
  send();
  let waiting: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
        const end = 2 + waiting.readUInt16BE(0);
        answers[waiting.readUInt16BE(2)] ??= Buffer.from(waiting.subarray(2, end));
        waiting = waiting.subarray(end);
        received++;
      }
      if (received === messages.length) break;
      send();
    }
  } finally {
    socket.destroy();
  }
  const missing = answers.indexOf(undefined);
  if (missing >= 0) throw new Error(`Message ${missing} of ${messages.length} was not answered.`);
  return answers as Buffer[];
}

function frameWithId(message: Uint8Array, id: number): Buffer {
  const framed = Buffer.alloc(message.length + 2);
  framed.writeUInt16BE(message.length, 0);
  framed.set(message, 2);
  framed.writeUInt16BE(id, 2);
  return framed;
}

function toResponse(packet: DecodedPacket): DnsResponse {
  return {
    // The type definitions do not contain `rcode`, but the decoder sets it.
    rcode: (packet as DecodedPacket & { rcode: string }).rcode,
    isAuthoritative: packet.flag_aa,
    isTruncated: packet.flag_tc,
    isAuthentic: packet.flag_ad,
    answers: packet.answers ?? [],
    authorities: packet.authorities ?? [],
    additionals: packet.additionals ?? [],
  };
}

const OPT = 41;
const EXTENDED_ERROR = 15;

interface Additional {
  readonly type: number;
  readonly rdata: Uint8Array;
}

/** Returns the extended error of a response (RFC 8914 s2) as code and text. Undefined if it has none. */
export function readExtendedError(additionals: readonly Additional[]): string | undefined {
  const rdata = Buffer.from(additionals.find(({ type }) => type === OPT)?.rdata ?? []);
  for (let at = 0; at + 4 <= rdata.length; at += 4 + rdata.readUInt16BE(at + 2)) {
    if (rdata.readUInt16BE(at) !== EXTENDED_ERROR) continue;
    const data = rdata.subarray(at + 4, at + 4 + rdata.readUInt16BE(at + 2));
    return `${data.readUInt16BE()} ${data.subarray(2).toString()}`.trim();
  }
  return undefined;
}
