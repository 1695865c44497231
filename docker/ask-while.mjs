// Queries the six nameservers of docker-compose.yml as a resolver does while a command runs: one of them, and if it
// does not respond the next one. Reports the number of unanswered queries, and how long each nameserver did not
// respond.
//
//   node docker/ask-while.mjs NAME ADDRESS COMMAND [ARGUMENT ...]      ends with 1 if a query was lost, or the command failed
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';

const [name, address, command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('usage: node docker/ask-while.mjs NAME ADDRESS COMMAND [ARGUMENT ...]');
  process.exit(2);
}
const PORTS = [5301, 5302, 5303, 5304, 5305, 5306];
const HOST = process.env.NAMESERVER_ADDRESS || '127.0.0.1';
const QUESTIONS_A_SECOND = 50;
/** Time that a resolver waits before it queries the next nameserver. */
const PATIENCE_MS = 400;
const PROBE_MS = 100;

const labels = name.replace(/\.$/, '').split('.');
const question = Buffer.concat([
  ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
  Buffer.from([0, 0, 1, 0, 1]),
]);
const rdata = Buffer.from(address.split('.').map(Number));

/** Whether this nameserver answers with the address in time. */
function ask(port) {
  return new Promise((resolve) => {
    const id = Math.floor(Math.random() * 65_536);
    const socket = createSocket('udp4');
    const header = Buffer.from([id >> 8, id & 255, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    const end = (isAnswered) => {
      clearTimeout(timer);
      socket.close();
      resolve(isAnswered);
    };
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    // A closed port reports an error at once. A resolver then continues as after a timeout.
    socket.on('error', () => end(false));
    socket.on('message', (answer) => {
      if (answer.readUInt16BE(0) === id) end((answer[3] & 15) === 0 && answer.includes(rdata));
    });
    socket.connect(port, HOST, () => socket.send(Buffer.concat([header, question])));
  });
}

const counts = { asked: 0, second: 0, lost: 0 };
async function askAsResolver() {
  counts.asked += 1;
  const order = PORTS.toSorted(() => Math.random() - 0.5);
  for (const [index, port] of order.entries()) {
    if (await ask(port)) {
      if (index > 0) counts.second += 1;
      return;
    }
  }
  counts.lost += 1;
}

const silent = new Map(PORTS.map((port) => [port, 0]));
async function probe(port) {
  const before = performance.now();
  if (await ask(port)) return;
  silent.set(port, silent.get(port) + Math.max(PROBE_MS, performance.now() - before));
}

let isRunning = true;
async function every(milliseconds, work) {
  const pending = new Set();
  while (isRunning) {
    const one = work().finally(() => pending.delete(one));
    pending.add(one);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
  await Promise.all(pending);
}

/** Sends one probe of a nameserver at a time, so that their durations can be added. */
async function watch(port) {
  while (isRunning) {
    await probe(port);
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
  }
}

const work = [every(1000 / QUESTIONS_A_SECOND, askAsResolver), ...PORTS.map(watch)];
const code = await new Promise((resolve) => {
  spawn(command, args, { stdio: 'inherit' })
    .on('error', (error) => {
      console.error(error.message);
      resolve(1);
    })
    .on('close', (status) => resolve(status ?? 1));
});
isRunning = false;
await Promise.all(work);
console.log(
  `${counts.asked} questions, ${counts.second} answered by the second or a later nameserver, ${counts.lost} lost`,
);
for (const [port, milliseconds] of silent) {
  console.log(`port ${port}: silent for ${(milliseconds / 1000).toFixed(1)} s`);
}
process.exit(code !== 0 || counts.lost > 0 ? 1 : 0);
