// npm run bench:dns [-- PART ...] [--zones 10000] [--records 100] [--large 10000] [--rounds 3] [--seconds 5] [--changes
// 100] [--rolls 10]
//
// Measures the nameserver and prints Markdown tables, which docs/design/performance.md explains. Parts:
//   compare      comparison with servers of Debian (packages nsd, knot, bind9, pdns-server, gdnsd) and an echo (gcc)
//   signed       signed zones compared with NSD and Knot, with and without DO
//   hashed       denials of zones with NSEC3 compared with NSD and Knot, and with NSEC
//   memory       of one process with two workers, compared with an empty one
//   postgresql   first answer without a snapshot
//   changes      time from a commit to its answer, with and without half load
//   restart      six processes replaced under load, one after the other, --rolls times
// Servers have one core, clients and PostgreSQL the other. Missing programs are reported, and the rest is measured.
import { measureChanges } from './dns/changes.mjs';
import { compare } from './dns/compare.mjs';
import { hasDnsperf } from './dns/dnsperf.mjs';
import { compareHashed } from './dns/hashed.mjs';
import { measureStart } from './dns/from-postgresql.mjs';
import { measureMemory } from './dns/memory.mjs';
import { measureRestart } from './dns/restart.mjs';
import { compareSigned } from './dns/signed.mjs';
import { measureParts, readParts } from './lib/parts.mjs';
import { makeZones, writeQuestions, writeZoneFiles } from './dns/zones.mjs';

const PARTS = {
  compare,
  signed: compareSigned,
  hashed: compareHashed,
  memory: measureMemory,
  postgresql: measureStart,
  changes: measureChanges,
  restart: measureRestart,
};

const { numbers, chosen } = readParts(PARTS, {
  zones: 10_000,
  records: 100,
  // Names of the large zone. With --zones 0, it is the only zone.
  large: 10_000,
  rounds: 3,
  seconds: 5,
  // Changes per second.
  changes: 100,
  // Restarts of all six nameservers.
  rolls: 10,
});
if (!hasDnsperf) throw new Error('dnsperf is missing (Debian package dnsperf).');

await measureParts(chosen, (folder) => {
  const { zones: zoneCount, records, large, ...rest } = numbers;
  const size = { zones: zoneCount, records, large };
  const zones = makeZones(size);
  return {
    folder,
    size,
    zones,
    zoneFolder: writeZoneFiles(folder, zones),
    questions: writeQuestions(folder, size),
    recordCount: size.zones * size.records + large,
    ...rest,
  };
});
