// Compares the nameserver with NSD and Knot for the same signed zones, in interleaved rounds: answers and denials, with
// and without DO.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { saturate } from './dnsperf.mjs';
import { cpuSeconds, memoryMegabytes } from './processes.mjs';
import { printTable, spread, whole } from './report.mjs';
import { endProcess, startServer } from './server-process.mjs';
import { SERVERS } from './servers.mjs';
import { signZones } from './sign-zones.mjs';
import { writeQuestionsAbout, writeZoneFiles } from './zones.mjs';

const NAMES = ['Zonewright', 'NSD', 'Knot'];
const WARM_UP_SECONDS = 3;
const WITH_DO = ['-D'];

export async function compareSigned(world) {
  const { folder, size, rounds, seconds } = world;
  const signed = await signZones(world.zones);
  const signedFolder = join(folder, 'signed');
  mkdirSync(signedFolder);
  const zoneFolder = writeZoneFiles(signedFolder, signed);
  const found = writeQuestionsAbout(folder, size, 'found');
  const missing = writeQuestionsAbout(folder, size, 'missing');
  const loads = [
    ['found, DO', found, WITH_DO],
    ['missing, DO', missing, WITH_DO],
    ['found', found, []],
    ['missing', missing, []],
  ];
  const running = [];
  try {
    for (const name of NAMES.filter((each) => existsSync(SERVERS[each].program))) {
      const started = await startServer(name, SERVERS[name], {
        ...world,
        zones: signed,
        zoneFolder,
      });
      running.push({ ...started, results: [] });
      for (const [, questions, options] of loads) {
        await saturate(started.port, questions, WARM_UP_SECONDS, options);
      }
    }
    for (let round = 1; round <= rounds; round++) {
      for (const [load, questions, options] of loads) {
        for (const server of running) {
          const before = cpuSeconds(server.child.pid);
          const { completed } = await saturate(server.port, questions, seconds, options);
          const microseconds = ((cpuSeconds(server.child.pid) - before) / completed) * 1e6;
          server.results.push({ round, load, microseconds });
          console.error(`round ${round}, ${load}, ${server.name}: ${microseconds.toFixed(2)} us`);
        }
      }
    }
    for (const server of running) server.megabytes = memoryMegabytes(server.child.pid);
  } finally {
    await Promise.all(running.map(({ child }) => endProcess(child)));
  }
  const [own] = running;
  const of = (server, load) => server.results.filter((result) => result.load === load);
  const row = (server) => [
    server.name,
    ...loads.flatMap(([load]) => [
      spread(
        of(server, load).map(({ microseconds }) => microseconds),
        1,
      ),
      // Ratios are taken within a round, since the load of the machine differs between rounds.
      spread(
        of(server, load).map(
          ({ microseconds }, at) => of(own, load)[at].microseconds / microseconds,
        ),
        2,
      ),
    ]),
    whole(server.megabytes),
  ];
  printTable(
    `${whole(signed.reduce((sum, { names }) => sum + names, 0))} signed names in ${whole(signed.length)} zones, ${rounds} rounds of ${seconds} s; CPU time a query in us, and ours beside it`,
    ['server', ...loads.flatMap(([load]) => [load, 'ours beside']), 'memory, MB'],
    running.map(row),
  );
}
