// Clients of dynamic updates: one record with a new name each, one after the other on each connection.
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  nameToWire,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  writeMessage,
} from '../../packages/dns-records/dist/index.js';
import { callsPerSecond } from '../dns-api/http-client.mjs';
import { summarize } from '../lib/rounds.mjs';

const UPDATE_FLAGS = 0x2800;
const SERVFAIL = 2;
const MOST_ATTEMPTS = 20;
const MEASURED = Number(process.env.BENCH_UPDATES || 500);
let made = 0;

/** Returns an update that adds an A record: `{ message, mac }`. */
export function newUpdate(zone, key) {
  made += 1;
  const record = {
    name: nameToWire(`u${made}.${zone}`),
    type: RR_TYPE.A,
    class: RR_CLASS.IN,
    ttl: 300,
    rdata: Uint8Array.of(10, (made >> 16) & 255, (made >> 8) & 255, made & 255),
  };
  const message = writeMessage({
    id: made & 0xffff,
    flags: UPDATE_FLAGS,
    questions: [{ name: nameToWire(zone), type: RR_TYPE.SOA, class: RR_CLASS.IN }],
    authorities: [record],
  });
  return { ...signRequest(message, key, Date.now() / 1_000), name: `u${made}.${zone}` };
}

export async function updatesPerSecond({ port, key }, zone, connections, seconds) {
  const clients = await Promise.all(Array.from({ length: connections }, () => open(port)));
  try {
    return await callsPerSecond(clients, seconds, (client) => update(client, zone, key));
  } finally {
    for (const client of clients) client.close();
  }
}

/** Measures updates one at a time. */
export async function measureLatency({ port, key }, zone) {
  const client = await open(port);
  try {
    return await measureCalls(() => update(client, zone, key));
  } finally {
    client.close();
  }
}

/** Measures calls one after the other. */
export async function measureCalls(call) {
  const took = [];
  for (let at = 0; at < MEASURED; at += 1) {
    const startedAt = performance.now();
    await call();
    took.push(performance.now() - startedAt);
  }
  return percentiles(took);
}

export function percentiles(took) {
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return {
    count: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: summarize(sorted).max,
  };
}

export async function update(client, zone, key) {
  const made = newUpdate(zone, key);
  for (let attempt = 0; ; attempt += 1) {
    const rcode = (await client.ask(made.message))[3] & 15;
    if (rcode === 0) return made;
    // A busy server answers SERVFAIL, and clients send the same message again. It is applied once.
    if (rcode !== SERVFAIL || attempt === MOST_ATTEMPTS) throw new Error(`RCODE ${rcode}`);
  }
}

/** Opens a connection with one message at a time. */
export async function open(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let pending = Buffer.alloc(0);
  let settle;
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    if (pending.length < 2 || pending.length < 2 + pending.readUInt16BE(0)) return;
    const message = pending.subarray(2);
    pending = Buffer.alloc(0);
    settle?.resolve(message);
  });
  socket.on('close', () => settle?.reject(new Error('The connection was closed.')));
  socket.on('error', (error) => settle?.reject(error));
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        const head = Buffer.from([message.length >> 8, message.length & 255]);
        socket.write(Buffer.concat([head, message]));
      }),
    close: () => {
      settle = undefined;
      socket.destroy();
    },
  };
}
