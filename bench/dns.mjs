// npm run bench:dns [-- PART ...] [--zones 10000] [--records 100] [--rounds 3] [--seconds 5] [--changes 100] [--rolls 10]
//
// Measures the nameserver; docs/performance.md tells how to read the tables, which are in Markdown. Parts:
//   compare      beside the servers of Debian (packages nsd, knot, bind9, pdns-server, gdnsd) and an echo (gcc)
//   signed       signed zones beside NSD and Knot, with DO and without
//   memory       of one process with two workers, beyond an empty one
//   postgresql   first answer without a snapshot
//   changes      from a commit to its answer, with and without half load
//   restart      six processes replaced under load, one after the other, --rolls times
// Servers have one core, clients and PostgreSQL the other. What is missing is said, and the rest goes on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureChanges } from './dns/changes.mjs';
import { compare } from './dns/compare.mjs';
import { hasDnsperf } from './dns/dnsperf.mjs';
import { measureStart } from './dns/from-postgresql.mjs';
import { measureMemory } from './dns/memory.mjs';
import { measureRestart } from './dns/restart.mjs';
import { compareSigned } from './dns/signed.mjs';
import { LARGE_NAMES, makeZones, writeQuestions, writeZoneFiles } from './dns/zones.mjs';

const PARTS = {
  compare,
  signed: compareSigned,
  memory: measureMemory,
  postgresql: measureStart,
  changes: measureChanges,
  restart: measureRestart,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    zones: { type: 'string', default: '10000' },
    records: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    changes: { type: 'string', default: '100' },
    rolls: { type: 'string', default: '10' },
  },
});
const unknown = positionals.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  throw new Error(`There is no part ${unknown[0]}; there are ${Object.keys(PARTS).join(', ')}.`);
}
if (!hasDnsperf) throw new Error('dnsperf is missing (Debian package dnsperf).');

const size = { zones: Number(values.zones), records: Number(values.records) };
const folder = mkdtempSync(join(tmpdir(), 'bench-dns-'));
try {
  const zones = makeZones(size);
  const world = {
    folder,
    size,
    zones,
    zoneFolder: writeZoneFiles(folder, zones),
    questions: writeQuestions(folder, size),
    recordCount: size.zones * size.records + LARGE_NAMES,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    /** A second. */
    changes: Number(values.changes),
    /** Of all six nameservers. */
    rolls: Number(values.rolls),
  };
  for (const [name, measure] of Object.entries(PARTS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.error(`measuring ${name} ...`);
    await measure(world);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
