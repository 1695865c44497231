import {
  type Message,
  type MessageRecord,
  nameToWire,
  RCODE,
  rcodeOf,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  rdataToWire,
  signRequest,
  TsigAnswerChecker,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

/** Address of a server for dynamic updates, at which a client can repeat a message exactly. */
export interface UpdateServer {
  readonly host: string;
  readonly port: number;
}

let ids = 0;

export function updateRecord(
  name: string,
  type: string,
  members: Partial<MessageRecord> = {},
): MessageRecord {
  return {
    name: nameToWire(name),
    type: RR_TYPE[type as keyof typeof RR_TYPE],
    class: RR_CLASS.IN,
    ttl: 0,
    rdata: new Uint8Array(),
    ...members,
  };
}

export function withData(name: string, type: string, data: string, ttl: number): MessageRecord {
  const [, priority, target] = /^(\d+) (.*)$/.exec(type === 'MX' ? data : '') ?? [];
  const rdata =
    target === undefined
      ? rdataToWire(type, data, null)
      : rdataToWire(type, target, Number(priority));
  return updateRecord(name, type, { ttl, rdata });
}

/** Returns an update that is signed now. */
export function signUpdate(zone: string, key: TsigKey, parts: Partial<Message>) {
  ids = (ids + 1) & 0xffff;
  const questions = [updateRecord(zone, 'SOA')];
  const message = writeMessage({ id: ids, flags: 0x2800, questions, ...parts });
  return signRequest(message, key, Date.now() / 1000);
}

/** Returns the answer over UDP. Undefined if none arrived in time. */
export async function sendUdp(
  { host, port }: UpdateServer,
  message: Uint8Array,
  timeoutMs: number,
): Promise<Buffer | undefined> {
  const socket = createSocket('udp4');
  try {
    const answer = once(socket, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    socket.send(message, port, host);
    return ((await answer) as [Buffer])[0];
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

/** Returns the answer over TCP. Undefined if none arrived in time. */
export async function sendTcp(
  { host, port }: UpdateServer,
  message: Uint8Array,
  timeoutMs: number,
): Promise<Buffer | undefined> {
  const socket = connect(port, host);
  try {
    const length = Buffer.of(message.length >> 8, message.length & 0xff);
    socket.write(Buffer.concat([length, message]));
    let octets = Buffer.alloc(0);
    const signal = AbortSignal.timeout(timeoutMs);
    while (octets.length < 2 || octets.length < 2 + octets.readUInt16BE(0)) {
      const [chunk] = (await once(socket, 'data', { signal })) as [Buffer];
      octets = Buffer.concat([octets, chunk]);
    }
    return octets.subarray(2);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** Returns the RCODE name of an answer. @throws Error if its signature is wrong */
export function rcodeNameOf(answer: Buffer, key: TsigKey, mac: Uint8Array): string {
  const message = readMessage(answer);
  const { tsig } = message;
  if (tsig !== undefined && tsig.mac.length > 0) {
    const fault = new TsigAnswerChecker(key, mac).check(answer, tsig, Date.now() / 1000);
    if (fault !== undefined) throw new Error(`the answer is signed wrongly: ${fault}`);
  }
  const names = Object.entries(RCODE);
  return names.find(([, rcode]) => rcode === rcodeOf(message))?.[0] ?? String(rcodeOf(message));
}
