import { createSocket, type Socket } from 'node:dgram';
import assert from 'node:assert/strict';
import { waitFor } from '@zonewright/testkit';
import { assertAnswer, expectsAnswer } from './assert-answer.js';
import { type Dice, makeHostileMessage } from './hostile-messages.js';
import type { RunningNameserver } from './running-nameserver.js';
import { TcpClient } from './tcp-client.js';

/** The time limit for a hundred answers, which take some milliseconds on an idle machine. */
const BATCH_DEADLINE_MS = 10_000;
/** The default buffer easily holds a hundred answers; this size is for slow machines. */
const RECEIVE_BUFFER_OCTETS = 1_048_576;
const TCP_OCTETS = 65_535;

/** Returns hostile messages, numbered by their ids so that each answer can be assigned. */
export function makeBatch(dice: Dice, length: number): Buffer[] {
  return Array.from({ length }, (_, id) => {
    const message = Buffer.from(makeHostileMessage(dice));
    if (message.length >= 2) message.writeUInt16BE(id);
    return message;
  });
}

/** Sends messages over UDP and returns the answers by id after the last message, a normal query, has been answered. */
export class HostileUdpClient {
  readonly #socket: Socket;
  #answers: Buffer[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (answer) => this.#answers.push(answer));
  }

  static async connect({ host, port }: RunningNameserver): Promise<HostileUdpClient> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER_OCTETS });
    await new Promise<void>((resolve) => {
      socket.connect(port, host, resolve);
    });
    return new HostileUdpClient(socket);
  }

  async send(messages: readonly Buffer[], honest: Buffer): Promise<Buffer> {
    this.#answers = [];
    for (const message of [...messages, honest]) this.#socket.send(message);
    const last = await waitFor(() => findAnswer(this.#answers, honest), BATCH_DEADLINE_MS);
    assertAnswers(messages, this.#answers.slice(0, -1));
    return last;
  }

  close(): void {
    this.#socket.close();
  }
}

/** Sends messages over a separate TCP connection in the same way. */
export async function sendHostileOverTcp(
  { host, port }: RunningNameserver,
  messages: readonly Buffer[],
  honest: Buffer,
): Promise<Buffer> {
  const client = await TcpClient.connect({ host, port });
  client.send(...messages, honest);
  const last = await waitFor(() => findAnswer(client.messages(), honest), BATCH_DEADLINE_MS);
  assertAnswers(messages, client.messages().slice(0, -1), TCP_OCTETS);
  client.socket.destroy();
  return last;
}

function findAnswer(answers: readonly Buffer[], query: Buffer): Buffer | undefined {
  return answers.find((answer) => answer.readUInt16BE(0) === query.readUInt16BE(0));
}

/** Checks that each query has one answer and everything else has none. */
function assertAnswers(
  messages: readonly Buffer[],
  answers: readonly Buffer[],
  maxOctets?: number,
): void {
  const byId = new Map(answers.map((answer) => [answer.readUInt16BE(0), answer]));
  assert.equal(answers.length, messages.filter(expectsAnswer).length, 'One answer for each query.');
  for (const message of messages.filter(expectsAnswer)) {
    assertAnswer(message, byId.get(message.readUInt16BE(0)), maxOctets);
  }
}
