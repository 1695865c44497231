// Compares denials of zones that a primary has signed with NSEC3 with those of NSD and Knot, and with NSEC, in
// interleaved rounds. All queries are for missing names, with DO.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { saturate } from './dnsperf.mjs';
import { cpuSeconds } from './processes.mjs';
import { printTable, spread } from './report.mjs';
import { endProcess, startServer } from './server-process.mjs';
import { SERVERS } from './servers.mjs';
import { signZones } from './sign-zones.mjs';
import { writeQuestionsAbout, writeZoneFiles } from './zones.mjs';

const NAMES = ['Zonewright', 'NSD', 'Knot'];
const WARM_UP_SECONDS = 3;
const WITH_DO = ['-D'];

export async function compareHashed(world) {
  const { folder, size, rounds, seconds } = world;
  const missing = writeQuestionsAbout(folder, size, 'missing');
  const running = [];
  try {
    for (const kind of ['NSEC3', 'NSEC']) {
      const zones = await signZones(world.zones, { isHashed: kind === 'NSEC3' });
      mkdirSync(join(folder, kind));
      const zoneFolder = writeZoneFiles(join(folder, kind), zones);
      for (const name of NAMES.filter((each) => existsSync(SERVERS[each].program))) {
        const label = `${name}, ${kind}`;
        const started = await startServer(label, SERVERS[name], { ...world, zones, zoneFolder });
        running.push({ ...started, microseconds: [] });
        await saturate(started.port, missing, WARM_UP_SECONDS, WITH_DO);
      }
    }
    for (let round = 0; round < rounds; round++) {
      for (const { port, child, microseconds } of running) {
        const before = cpuSeconds(child.pid);
        const { completed } = await saturate(port, missing, seconds, WITH_DO);
        microseconds.push(((cpuSeconds(child.pid) - before) / completed) * 1e6);
      }
    }
  } finally {
    await Promise.all(running.map(({ child }) => endProcess(child)));
  }
  const [own] = running;
  printTable(
    `Missing names with DO, ${rounds} rounds of ${seconds} s; CPU time a query in us, and that of our NSEC3 beside it`,
    ['server', 'us', 'our NSEC3 beside'],
    running.map(({ name, microseconds }) => [
      name,
      spread(microseconds, 1),
      spread(
        microseconds.map((each, at) => own.microseconds[at] / each),
        2,
      ),
    ]),
  );
}
