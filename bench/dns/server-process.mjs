// Starts a server of the benchmark on the core that only servers use.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LARGE_ZONE } from './zones.mjs';

const SERVER_CORE = '0';
const START_LIMIT_MS = 120_000;
/** Below the range of ports that the system gives to clients, including those of the benchmark. */
const FIRST_PORT = 20_053;
let nextPort = FIRST_PORT;

/** Starts a server of servers.mjs. Resolves when it has answered, with the time that this took. */
export async function startServer(name, server, { folder, zones, zoneFolder }) {
  const serverFolder = join(folder, name.replaceAll(/\W/g, ''));
  mkdirSync(serverFolder, { recursive: true });
  const port = await findFreePort();
  const prepared = await server.prepare({ folder: serverFolder, port, zones, zoneFolder });
  const startedAt = performance.now();
  const child = startPinned(
    [prepared.program ?? server.program, ...prepared.arguments],
    prepared.environment,
  );
  try {
    await untilAnswered(child, port, server.isAnswer);
  } catch (error) {
    await endProcess(child);
    throw error;
  }
  return { name, child, port, firstAnswerSeconds: (performance.now() - startedAt) / 1_000 };
}

/** Starts a command on the servers' core. */
export function startPinned(command, environment = {}) {
  return spawn('taskset', ['-c', SERVER_CORE, ...command], {
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  });
}

export async function endProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

export async function findFreePort() {
  for (;;) {
    const port = nextPort++;
    const socket = createSocket('udp4');
    const isFree = await new Promise((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind(port, '127.0.0.1', () => resolve(true));
    });
    socket.close();
    if (isFree) return port;
  }
}

/** Returns a query for the addresses of a name. */
export function addressQuery(name, id = 1) {
  const labels = name
    .split('.')
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  const header = Buffer.from([id >> 8, id & 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, 1, 0, 1])]);
}

const ANSWERS_AT = 6;
const hasRecord = (answer) => answer.readUInt16BE(ANSWERS_AT) > 0;

/** Queries an address in the large zone until there is an answer with one. */
export async function untilAnswered(child, port, isAnswer = hasRecord) {
  const query = addressQuery(`h1.${LARGE_ZONE}`);
  const socket = createSocket('udp4');
  let isAnswered = false;
  socket.on('message', (answer) => (isAnswered ||= isAnswer(answer)));
  socket.on('error', () => undefined);
  const deadline = performance.now() + START_LIMIT_MS;
  try {
    while (!isAnswered) {
      if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
      if (performance.now() > deadline) throw new Error('it did not answer in time');
      socket.send(query, port, '127.0.0.1');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    socket.close();
  }
}
