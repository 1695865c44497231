import {
  type MessageRecord,
  nameToWire,
  rdataToWire,
  type ReadMessage,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  wireToName,
  writeMessage,
} from '@zonewright/dns-records';
import { once } from 'node:events';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const AUTHORITATIVE_ANSWER = 0x8400;

/** Primary of many zones on loopback, which sends any records, each in its own message. */
export class ContentPrimary {
  readonly zones = new Map<string, readonly MessageRecord[]>();
  readonly #sockets = new Set<Socket>();
  /** Undefined until the start: an open socket would have to be closed even if no test runs. */
  #udp: UdpSocket | undefined;
  readonly #tcp = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    let unread = Buffer.alloc(0);
    socket.on('data', (octets: Buffer) => {
      unread = Buffer.concat([unread, octets]);
      while (unread.length >= 2 && unread.length >= 2 + unread.readUInt16BE(0)) {
        const end = 2 + unread.readUInt16BE(0);
        this.#answer(socket, readMessage(unread.subarray(2, end)));
        unread = unread.subarray(end);
      }
    });
  });

  async start(): Promise<number> {
    this.#tcp.listen(0, '127.0.0.1');
    await once(this.#tcp, 'listening');
    const { port } = this.#tcp.address() as AddressInfo;
    const udp = createSocket('udp4', (octets, { port: from, address }) => {
      const asked = readMessage(octets);
      // RFC 1995 s2: the SOA alone makes the client ask over TCP.
      udp.send(answer(asked, this.#soaOf(asked)), from, address);
    });
    this.#udp = udp;
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
    return port;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#tcp.close();
    this.#udp?.close();
  }

  #soaOf({ questions: [question] }: ReadMessage): MessageRecord[] {
    const zone = question === undefined ? '' : wireToName(question.name).toLowerCase();
    return this.zones.has(zone) ? [soaRecord(zone)] : [];
  }

  #answer(socket: Socket, asked: ReadMessage): void {
    const soa = this.#soaOf(asked);
    const content = this.zones.get(wireToName(asked.questions[0]!.name).toLowerCase()) ?? [];
    const isQuery = asked.questions[0]?.type === RR_TYPE.SOA;
    for (const each of isQuery ? soa : [...soa, ...content, ...soa]) {
      const message = answer(asked, [each]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message.length);
      socket.write(Buffer.concat([length, message]));
    }
  }
}

function answer({ id, questions }: ReadMessage, answers: readonly MessageRecord[]): Uint8Array {
  return writeMessage({ id, flags: AUTHORITATIVE_ANSWER, questions, answers });
}

export function soaRecord(zone: string, serial = 7): MessageRecord {
  const data = `ns.elsewhere.example. host.${zone} ${serial} 7200 900 1209600 300`;
  return textRecord(zone, 'SOA', data);
}

export function textRecord(name: string, type: 'SOA' | 'NS' | 'CNAME', data: string) {
  return rawRecord(name, RR_TYPE[type], rdataToWire(type, data, null));
}

/** @param rdata octets, or their hexadecimal form */
export function rawRecord(
  name: string,
  type: number,
  rdata: Uint8Array | string,
  { ttl = 300, class: recordClass = RR_CLASS.IN }: { ttl?: number; class?: number } = {},
): MessageRecord {
  const octets = typeof rdata === 'string' ? Buffer.from(rdata, 'hex') : rdata;
  return { name: nameToWire(name), type, class: recordClass, ttl, rdata: octets };
}
