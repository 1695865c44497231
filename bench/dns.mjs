// npm run bench:dns [-- --zones 10000 --records 100 --rounds 3 --seconds 5]
//
// Puts the nameserver beside those of Debian (packages nsd, knot, bind9, pdns-server, gdnsd) with the same zones and the
// same questions of dnsperf; the server on one core, the client on another, in interleaved rounds. Prints a table in
// Markdown: medians, with the least and the greatest value.
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuSeconds, memoryMegabytes } from './dns/processes.mjs';
import { SERVERS } from './dns/servers.mjs';
import { LARGE_ZONE, makeZones, writeQuestions, writeZoneFiles } from './dns/zones.mjs';

const SERVER_CORE = '0';
const CLIENT_CORE = '1';
const START_LIMIT_MS = 60_000;
/** Below the ports that the system gives to clients, the benchmark's own among them. */
const FIRST_PORT = 20_053;
const DNSPERF = '/usr/bin/dnsperf';

const { values } = parseArgs({
  options: {
    zones: { type: 'string', default: '10000' },
    records: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
  },
});
const size = { zones: Number(values.zones), records: Number(values.records) };
const rounds = Number(values.rounds);

if (!existsSync(DNSPERF)) throw new Error('dnsperf is missing (Debian package dnsperf).');
const folder = mkdtempSync(join(tmpdir(), 'bench-dns-'));
const running = [];
let nextPort = FIRST_PORT;
try {
  const zones = makeZones(size);
  const zoneFolder = writeZoneFiles(folder, zones);
  const questions = writeQuestions(folder, size);
  for (const [name, server] of Object.entries(SERVERS)) {
    if (!existsSync(server.program)) {
      console.error(`${name} is missing (${server.program}); going on without it.`);
      continue;
    }
    try {
      running.push(await start(name, server, zones, zoneFolder));
    } catch (error) {
      console.error(`${name} is left out: ${error.message}`);
    }
  }
  for (let round = 1; round <= rounds; round++) {
    for (const server of running) {
      server.results.push(measure(server, questions));
      console.error(`round ${round}, ${server.name}: ${JSON.stringify(server.results.at(-1))}`);
    }
  }
  console.log(table());
} finally {
  for (const { child } of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function start(name, { program, prepare }, zones, zoneFolder) {
  const serverFolder = join(folder, name.replaceAll(/\W/g, ''));
  mkdirSync(serverFolder);
  const port = await findFreePort();
  const prepared = await prepare({ folder: serverFolder, port, zones, zoneFolder });
  const startedAt = performance.now();
  const child = spawn('taskset', ['-c', SERVER_CORE, program, ...prepared.arguments], {
    stdio: 'ignore',
    env: { ...process.env, ...prepared.environment },
  });
  try {
    await untilAnswered(child, port);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const firstAnswerSeconds = (performance.now() - startedAt) / 1_000;
  console.error(`${name}: first answer after ${firstAnswerSeconds.toFixed(2)} s`);
  return { name, child, port, firstAnswerSeconds, results: [] };
}

async function findFreePort() {
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

/** Asks for an address in the large zone until there is an answer with one. */
async function untilAnswered(child, port) {
  const labels = ['h1', ...LARGE_ZONE.split('.')].map((label) => [
    Buffer.from([label.length]),
    Buffer.from(label),
  ]);
  const header = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const query = Buffer.concat([header, ...labels.flat(), Buffer.from([0, 0, 1, 0, 1])]);
  const socket = createSocket('udp4');
  let isAnswered = false;
  socket.on('message', (answer) => (isAnswered = answer.readUInt16BE(6) === 1));
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

function measure({ child, port }, questions) {
  const before = cpuSeconds(child.pid);
  const { stdout } = spawnSync(
    'taskset',
    [
      ...['-c', CLIENT_CORE, DNSPERF, '-s', '127.0.0.1', '-p', String(port), '-d', questions],
      ...['-l', values.seconds, '-c', '16', '-q', '200'],
    ],
    { encoding: 'utf8' },
  );
  const number = (label) => Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(stdout)?.[1]);
  return {
    perSecond: number('Queries per second'),
    microseconds: ((cpuSeconds(child.pid) - before) / number('Queries completed')) * 1e6,
    lost: number('Queries lost'),
    megabytes: memoryMegabytes(child.pid),
  };
}

function table() {
  const records = (size.zones * size.records + 10_000).toLocaleString('en');
  const rows = running.map(({ name, firstAnswerSeconds, results }) => {
    const of = (key, digits) =>
      spread(
        results.map((result) => result[key]),
        digits,
      );
    const cells = [of('microseconds', 1), of('perSecond', 0), of('lost', 0), of('megabytes', 0)];
    return `| ${name} | ${cells.join(' | ')} | ${firstAnswerSeconds.toFixed(2)} |`;
  });
  return [
    `${records} records in ${(size.zones + 1).toLocaleString('en')} zones, ${rounds} rounds of ${values.seconds} s, ${cpus()[0].model.trim()}, Node.js ${process.versions.node}`,
    '',
    '| server | CPU time a query, us | queries/s | lost | memory, MB | first answer, s |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Median, and in brackets the least and the greatest. */
function spread(numbers, digits) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const text = (value) => value.toFixed(digits);
  return `${text(sorted[sorted.length >> 1])} (${text(sorted[0])} - ${text(sorted.at(-1))})`;
}
