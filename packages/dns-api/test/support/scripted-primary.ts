import {
  type Message,
  type MessageRecord,
  nameToWire,
  type ReadMessage,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  rdataToWire,
  TsigAnswerSigner,
  type TsigKey,
  wireToName,
  writeMessage,
} from '@zonewright/dns-records';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The answer sections of the messages in a response, or a function that handles the connection instead. */
type Said = readonly (readonly MessageRecord[])[] | ((socket: Socket, asked: ReadMessage) => void);

const AUTHORITATIVE_ANSWER = 0x8400;

/** A primary on loopback with scripted responses. */
export class ScriptedPrimary {
  /** The questions since the last test. Zones of earlier tests also send some when their REFRESH has passed. */
  readonly questions: { readonly zone: string; readonly type: string }[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  key: TsigKey | undefined;
  script: (type: string) => Said = () => [];

  constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('data', (octets: Buffer) => {
        this.#answer(socket, octets.subarray(2));
      });
    });
  }

  async start(): Promise<{ address: string; port: number }> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { address: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  /** Returns the requested types for a zone. */
  askedOf(zone: string): string[] {
    return this.questions.filter((each) => each.zone === zone).map(({ type }) => type);
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #answer(socket: Socket, octets: Buffer): void {
    const asked = readMessage(octets);
    const [question] = asked.questions;
    const name = Object.entries(RR_TYPE).find(([, number]) => number === question?.type)?.[0] ?? '';
    const zone = question === undefined ? '' : wireToName(question.name);
    this.questions.push({ zone, type: name });
    const said = this.script(name);
    if (typeof said === 'function') {
      said(socket, asked);
      return;
    }
    const signer = this.key && asked.tsig && new TsigAnswerSigner(this.key, asked.tsig.mac);
    for (const answers of said.flatMap(inMessages)) {
      const message = answerTo(asked, { answers });
      socket.write(frame(signer?.sign(message, Date.now() / 1_000) ?? message));
    }
  }
}

/** Divides records so that each message has room for its part. */
function inMessages(records: readonly MessageRecord[]): MessageRecord[][] {
  const messages: MessageRecord[][] = [];
  for (let at = 0; at < records.length; at += 20) messages.push(records.slice(at, at + 20));
  return messages;
}

export function answerTo({ id, questions }: ReadMessage, parts: Partial<Message> = {}): Uint8Array {
  return writeMessage({ flags: AUTHORITATIVE_ANSWER, questions, ...parts, id: parts.id ?? id });
}

export function frame(message: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

export function record(name: string, type: string, data: string, ttl = 300): MessageRecord {
  const [, priority, target] = /^(\d+) (.*)$/.exec(type === 'MX' ? data : '') ?? [];
  const generic = /^TYPE(\d+)$/.exec(type)?.[1];
  return {
    name: nameToWire(name),
    type: generic === undefined ? RR_TYPE[type as keyof typeof RR_TYPE] : Number(generic),
    class: RR_CLASS.IN,
    ttl,
    rdata:
      generic === undefined
        ? rdataToWire(type, target ?? data, priority === undefined ? null : Number(priority))
        : Buffer.from(data, 'hex'),
  };
}

/** Returns the SOA of a zone. */
export function soa(zone: string, serial: number, times = '7200 900 1209600'): MessageRecord {
  return record(zone, 'SOA', `ns.elsewhere.example. host.${zone} ${serial} ${times} 300`);
}
