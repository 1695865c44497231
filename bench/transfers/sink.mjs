// Receives a zone by AXFR and only counts records, so that the cost of the client is the same for all servers.
import { connect } from 'node:net';
import {
  nameToWire,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  writeMessage,
} from '../../packages/dns-records/dist/index.js';

export async function transferZone(port, zone, key, records) {
  const question = { name: nameToWire(zone), type: RR_TYPE.AXFR, class: RR_CLASS.IN };
  const query = writeMessage({
    id: 1,
    flags: 0,
    questions: [question],
    answers: [],
    authorities: [],
    additionals: [],
  });
  const { message } = signRequest(query, key, Date.now() / 1_000);
  const framed = Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message]);
  const startedAt = performance.now();
  let [octets, messages, count] = [0, 0, 0];
  let lastAt = startedAt;
  const socket = connect({ host: '127.0.0.1', port });
  await new Promise((resolve, reject) => {
    let pending = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('It ended before its end.')));
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const length = pending.readUInt16BE(0);
        if ((pending[5] & 15) !== 0) reject(new Error(`RCODE ${pending[5] & 15}`));
        count += pending.readUInt16BE(8);
        octets += length;
        messages++;
        pending = pending.subarray(2 + length);
      }
      if (count < records) return;
      lastAt = performance.now();
      resolve();
      socket.destroy();
    });
    socket.write(framed);
  });
  return { seconds: (lastAt - startedAt) / 1_000, octets, messages, count };
}
