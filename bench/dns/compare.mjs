// Compares the nameserver with those of Debian and with an echo of the same packets, in interleaved rounds.
import { existsSync } from 'node:fs';
import { askSteadily, saturate } from './dnsperf.mjs';
import { cpuSeconds, memoryMegabytes } from './processes.mjs';
import { printTable, spread, whole } from './report.mjs';
import { endProcess, startServer } from './server-process.mjs';
import { SERVERS } from './servers.mjs';

/** Time after which JIT compilers have finished. */
const WARM_UP_SECONDS = 3;

export async function compare(world) {
  const { rounds, seconds, zones, recordCount } = world;
  const running = [];
  try {
    for (const [name, server] of Object.entries(SERVERS)) await tryToStart(name, server);
    for (let round = 1; round <= rounds; round++) {
      for (const server of running) {
        const result = await measure(server, world);
        server.results.push(result);
        console.error(`round ${round}, ${server.name}: ${JSON.stringify(result)}`);
      }
    }
  } finally {
    await Promise.all(running.map(({ child }) => endProcess(child)));
  }
  printTable(
    `${whole(recordCount)} records in ${whole(zones.length)} zones, ${rounds} rounds of ${seconds} s`,
    [
      'server',
      'CPU time a query, us',
      'beside the echo',
      'queries/s',
      'lost',
      'p50 at half load, ms',
      'p99 at half load, ms',
      'memory, MB',
      'first answer, s',
    ],
    running.map((server) => row(server, running)),
  );

  async function tryToStart(name, server) {
    if (!existsSync(server.program)) {
      console.error(`${name} is missing (${server.program}); going on without it.`);
      return;
    }
    try {
      const started = await startServer(name, server, world);
      console.error(`${name}: first answer after ${started.firstAnswerSeconds.toFixed(2)} s`);
      running.push({ ...started, results: [] });
      await saturate(started.port, world.questions, WARM_UP_SECONDS);
    } catch (error) {
      console.error(`${name} is left out: ${error.message}`);
    }
  }
}

async function measure({ child, port }, { questions, seconds }) {
  const before = cpuSeconds(child.pid);
  const { perSecond, completed, lost } = await saturate(port, questions, seconds);
  const microseconds = ((cpuSeconds(child.pid) - before) / completed) * 1e6;
  const half = await askSteadily(port, questions, seconds, perSecond / 2);
  const megabytes = memoryMegabytes(child.pid);
  return { perSecond, microseconds, lost: lost + half.lost, ...half.latency, megabytes };
}

function row({ name, firstAnswerSeconds, results }, running) {
  const of = (key, digits) =>
    spread(
      results.map((result) => result[key]),
      digits,
    );
  const echo = running.find((server) => server.name === 'echo')?.results;
  // Ratios are taken within a round, since the load of the machine differs between rounds.
  const ratios = echo?.map(({ microseconds }, i) => results[i].microseconds / microseconds);
  return [
    name,
    of('microseconds', 1),
    ratios === undefined ? '' : spread(ratios, 2),
    of('perSecond', 0),
    of('lost', 0),
    of('p50', 2),
    of('p99', 2),
    of('megabytes', 0),
    firstAnswerSeconds.toFixed(2),
  ];
}
