// A program: sends all attacks at once until the time is over, and tells what was answered. A process of its own, so that
// who measures honest requests is not held up by it, and of the lowest priority: attackers bring processors of their own.
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { send } from './http-client.mjs';

const KEPT_TEXT = 300;

/** Asks for all that there is, and does not take it. */
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

process.once('message', async ({ url, until, attacks, order, flood, slow, atATime }) => {
  setPriority(19);
  const agent = new Agent({ keepAlive: true, maxSockets: 500 });
  const answers = { attacks: [], flood: [] };
  let turn = 0;
  const attack = async () => {
    while (Date.now() < until) {
      const call = attacks[order[turn++ % order.length]];
      answers.attacks.push(await send(url, agent, call, KEPT_TEXT));
    }
  };
  const floodOn = async () => {
    while (Date.now() < until) answers.flood.push(await send(url, agent, flood, 0));
  };
  const readers = Array.from({ length: atATime.slow }, () => readSlowly(url, slow));
  const times = (count, work) => Array.from({ length: count }, work);
  await Promise.all([...times(atATime.attacks, attack), ...times(atATime.flood, floodOn)]);
  for (const socket of readers) socket.destroy();
  agent.destroy();
  process.send(answers, () => process.disconnect());
});
