import {
  type MessageRecord,
  OPCODE,
  readMessage,
  RR_TYPE,
  writeMessage,
} from '@zonewright/dns-records';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { NameserverAddress } from '@zonewright/testkit';
import { updateRecord, withData } from '../../support/update-client.js';

const AUTHORITATIVE_ANSWER = 0x8400;
const HOST = '127.0.0.1';
/** A NOTIFY is repeated until it is answered (RFC 1996 s3.6). */
const REPEAT_MS = 1_000;

/** Tenant's primary of one zone: answers with its serial, and sends the whole zone (RFC 5936). */
export class HonestPrimary {
  readonly zone: string;
  serial = 1;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (octets: Buffer) => {
      this.#answer(socket, octets.subarray(2));
    });
  });
  readonly #notifier = createSocket('udp4');

  constructor(zone: string) {
    this.zone = zone;
  }

  async start(): Promise<{ address: string; port: number }> {
    this.#server.listen(0, HOST);
    await once(this.#server, 'listening');
    this.#notifier.bind(0, HOST);
    await once(this.#notifier, 'listening');
    return { address: HOST, port: (this.#server.address() as AddressInfo).port };
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    this.#notifier.close();
  }

  /** Increases the version, and sends NOTIFY until it is answered. */
  async notify({ host, port }: NameserverAddress): Promise<void> {
    this.serial += 1;
    const id = this.serial & 0xffff;
    const questions = [updateRecord(this.zone, 'SOA')];
    const message = writeMessage({ id, flags: OPCODE.NOTIFY << 11, questions });
    const heard = once(this.#notifier, 'message');
    const send = () => {
      this.#notifier.send(message, port, host);
    };
    send();
    const timer = setInterval(send, REPEAT_MS);
    await heard;
    clearInterval(timer);
  }

  #answer(socket: Socket, octets: Buffer): void {
    const { id, questions } = readMessage(octets);
    const soa = this.#soa();
    const isWhole = questions[0]?.type !== RR_TYPE.SOA;
    const ns = withData(this.zone, 'NS', 'ns.elsewhere.example.', 300);
    const answers = isWhole ? [soa, ns, soa] : [soa];
    const message = writeMessage({ id, flags: AUTHORITATIVE_ANSWER, questions, answers });
    socket.write(Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]));
  }

  #soa(): MessageRecord {
    const data = `ns.elsewhere.example. a.${this.zone} ${this.serial} 7200 900 1209600 300`;
    return withData(this.zone, 'SOA', data, 300);
  }
}
