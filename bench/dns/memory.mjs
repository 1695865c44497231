// Measures the memory of one process with two workers after it has answered, compared with a process without zones.
import { saturate } from './dnsperf.mjs';
import { residentMegabytes } from './processes.mjs';
import { printTable, whole } from './report.mjs';
import { endProcess, startPinned, startServer } from './server-process.mjs';
import { zonewright } from './servers.mjs';

const SETTLE_MS = 2_000;

export async function measureMemory(world) {
  const { questions, seconds, zones, recordCount } = world;
  const bare = startPinned([process.execPath, '-e', 'setInterval(() => undefined, 1000)']);
  const workers = { NAMESERVER_UDP_WORKERS: '2' };
  const server = { program: process.execPath, prepare: zonewright('batch', workers) };
  const empty = await startServer('empty', server, { ...world, zones: zones.slice(0, 1) });
  const full = await startServer('full', server, world);
  try {
    for (const { port } of [empty, full]) await saturate(port, questions, seconds);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const of = ({ pid }) => residentMegabytes(pid);
    const rows = [
      ['Node.js, an empty program', of(bare)],
      ['the nameserver, 2 workers, one zone of 10,000 names', of(empty.child)],
      [`the same, all ${whole(zones.length)} zones`, of(full.child)],
      ['beyond the empty program', of(full.child) - of(bare)],
    ];
    printTable(
      `${whole(recordCount)} records, after ${seconds} s of queries`,
      ['process', 'resident memory, MB'],
      rows.map(([what, megabytes]) => [what, megabytes.toFixed(0)]),
    );
  } finally {
    await Promise.all([bare, empty.child, full.child].map(endProcess));
  }
}
