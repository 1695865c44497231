import {
  type MessageRecord,
  nameToWire,
  rdataToWire,
  type ReadMessage,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  serialOfSoa,
  writeMessage,
} from '@zonewright/dns-records';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const AUTHORITATIVE_ANSWER = 0x8400;
const RECORDS_A_MESSAGE = 100;

interface Hold {
  readonly type: 'AXFR' | 'IXFR';
  readonly reached: () => void;
}

/** Primary of a zone whose records all contain its version. It can stop in the middle of a transfer. */
export class HeldPrimary {
  readonly #zone: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #hold: Hold | undefined;
  #rest: (() => void) | undefined;
  /** Serial of the zone. */
  version = 1;
  /** EXPIRE of the SOA. */
  expireSeconds = 1_209_600;
  /** Number of names with a record, in addition to the apex. */
  names = 0;
  /** Records added to each later version. */
  more: readonly MessageRecord[] = [];
  /** Types of completed transfers. */
  readonly sent: string[] = [];

  constructor(zone: string) {
    this.#zone = zone;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('data', (octets: Buffer) => {
        this.#answer(socket, readMessage(octets.subarray(2)));
      });
    });
  }

  async start(): Promise<{ address: string; port: number }> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { address: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** Sends only half of the next transfer of this type. Resolves when this half was sent. */
  async holdNext(type: Hold['type']): Promise<void> {
    await new Promise<void>((reached) => {
      this.#hold = { type, reached };
    });
  }

  /** Sends the other half. */
  release(): void {
    this.#rest?.();
    this.#rest = undefined;
  }

  /** Returns a TXT record at each name. */
  #recordsOf(version: number): readonly MessageRecord[] {
    const names = Array.from({ length: this.names }, (_, at) => `h${at}.${this.#zone}`);
    return names.map((name) => record(name, 'TXT', `"${version}"`));
  }

  #soa(version: number): MessageRecord {
    return record(
      this.#zone,
      'SOA',
      `ns.elsewhere.example. host.${this.#zone} ${version} 3600 5 ${this.expireSeconds} 300`,
    );
  }

  #answer(socket: Socket, asked: ReadMessage): void {
    const type = asked.questions[0]?.type;
    const soa = this.#soa(this.version);
    if (type === RR_TYPE.SOA) {
      socket.write(frame(asked, [soa]));
      return;
    }
    const ns = record(this.#zone, 'NS', 'ns.elsewhere.example.');
    const known = asked.authorities[0];
    const hasSteps = type === RR_TYPE.IXFR && known !== undefined;
    const before = hasSteps ? serialOfSoa(known.rdata) : 0;
    const middle = hasSteps
      ? [
          this.#soa(before),
          ...this.#recordsOf(before),
          soa,
          ...this.#recordsOf(this.version),
          ...this.more,
        ]
      : [ns, ...this.#recordsOf(this.version), ...this.more];
    this.#send(socket, hasSteps ? 'IXFR' : 'AXFR', inFrames(asked, [soa, ...middle, soa]));
  }

  #send(socket: Socket, type: Hold['type'], octets: Buffer): void {
    const hold = this.#hold;
    const send = (part: Buffer) => socket.write(part, () => this.sent.push(type));
    if (hold?.type !== type) {
      send(octets);
      return;
    }
    this.#hold = undefined;
    const half = Math.floor(octets.length / 2);
    socket.write(octets.subarray(0, half), hold.reached);
    this.#rest = () => send(octets.subarray(half));
  }
}

function inFrames(asked: ReadMessage, records: readonly MessageRecord[]): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < records.length; at += RECORDS_A_MESSAGE) {
    frames.push(frame(asked, records.slice(at, at + RECORDS_A_MESSAGE)));
  }
  return Buffer.concat(frames);
}

function frame({ id, questions }: ReadMessage, answers: readonly MessageRecord[]): Buffer {
  const message = writeMessage({ id, flags: AUTHORITATIVE_ANSWER, questions, answers });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function record(name: string, type: 'SOA' | 'NS' | 'TXT', data: string): MessageRecord {
  return {
    name: nameToWire(name),
    type: RR_TYPE[type],
    class: RR_CLASS.IN,
    ttl: 300,
    rdata: rdataToWire(type, data, null),
  };
}
