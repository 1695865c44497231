// Program that sends all attacks at once until the end time, and reports the responses. It is a separate process of the
// lowest priority, so that it does not delay the measurement of honest requests: real attackers have their own
// processors.
import { createSocket } from 'node:dgram';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { send } from './http-client.mjs';

const KEPT_TEXT = 300;

/** Source address of attackers. It differs from that of honest clients, since limits are by network, not by name. */
const SOURCE = '127.0.5.1';
const INTERVAL_MS = 20;

/** Returns a query for a name that has not been queried before. */
function questionOf(number) {
  const labels = [`n${number}`, 'tenant-0', 'example'];
  const name = labels.flatMap((label) => [label.length, ...Buffer.from(label)]);
  return Buffer.from([number >> 8, number, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...name, 0, 0, 16, 0, 1]);
}

/** Requests large responses and reads them slowly. */
function readSlowly(url, calls) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.pause();
  for (const { path, token } of calls) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${token}\r\n\r\n`);
  }
  return socket;
}

process.once('message', async (work) => {
  const { url, until, attacks, order, flood, slow, atATime, nameserver } = work;
  setPriority(19);
  const agent = new Agent({ keepAlive: true, maxSockets: 500 });
  const answers = { attacks: [], flood: [], datagrams: 0 };
  let turn = 0;
  const attack = async () => {
    do {
      const call = attacks[order[turn++ % order.length]];
      answers.attacks.push(await send(url, agent, call, KEPT_TEXT));
    } while (Date.now() < until);
  };
  const floodOn = async () => {
    while (Date.now() < until) answers.flood.push(await send(url, agent, flood, 0));
  };
  const socket = createSocket('udp4').on('error', () => undefined);
  await new Promise((bound) => socket.bind({ address: SOURCE }, bound));
  const timer = setInterval(() => {
    for (let n = 0; n < atATime.datagrams; n += 1) {
      socket.send(questionOf(answers.datagrams++), nameserver.port, nameserver.host);
    }
  }, INTERVAL_MS);
  const readers = Array.from({ length: atATime.slow }, () => readSlowly(url, slow));
  const times = (count, work) => Array.from({ length: count }, work);
  await Promise.all([...times(atATime.attacks, attack), ...times(atATime.flood, floodOn)]);
  clearInterval(timer);
  socket.close();
  for (const reader of readers) reader.destroy();
  agent.destroy();
  process.send(answers, () => process.disconnect());
});
