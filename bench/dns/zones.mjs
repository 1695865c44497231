// Zones and queries for all servers of the benchmark: one large zone and many small ones.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const LARGE_ZONE = 'large.example';
/** Of a hundred queries, five are for MX with additional data and five for names that do not exist. */
const QUESTIONS = 100_000;
const MX_UP_TO = 5;
const MISSING_UP_TO = 10;

export function makeZones({ zones, records, large }) {
  const apexes = Array.from({ length: zones }, (_, i) => `z${i}.example`);
  return [
    { name: LARGE_ZONE, text: zoneText(LARGE_ZONE, large) },
    ...apexes.map((name) => ({ name, text: zoneText(name, records) })),
  ];
}

function zoneText(name, hosts) {
  const lines = [
    `@ 3600 IN SOA ns1.${name}. admin.${name}. 1 14400 3600 1209600 300`,
    `@ 3600 IN NS ns1.${name}.`,
    `@ 3600 IN MX 10 h0.${name}.`,
    'ns1 3600 IN A 192.0.2.53',
  ];
  for (let i = 0; i < hosts; i++)
    lines.push(`h${i} 300 IN A 198.51.${(i >> 8) & 0xff}.${i & 0xff}`);
  return `$ORIGIN ${name}.\n${lines.join('\n')}\n`;
}

/** Writes a file for each zone, and returns the folder. */
export function writeZoneFiles(folder, zones) {
  const zoneFolder = join(folder, 'zones');
  mkdirSync(zoneFolder, { recursive: true });
  for (const { name, text } of zones) writeFileSync(join(zoneFolder, `${name}.zone`), text);
  return zoneFolder;
}

/** Does the same as writeQuestions() for one kind of names: existing or missing. */
export function writeQuestionsAbout(folder, { zones, records, large }, kind) {
  const dice = makeDice();
  const lines = Array.from({ length: QUESTIONS }, () => {
    const isLarge = zones === 0 || dice(2) === 0;
    const apex = isLarge ? LARGE_ZONE : `z${dice(zones)}.example`;
    const host = `h${dice(isLarge ? large : records)}`;
    return `${kind === 'found' ? host : `${host}x${dice(10_000)}`}.${apex} A`;
  });
  const path = join(folder, `questions-${kind}`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Returns a random function with the same results in each run. */
function makeDice() {
  let state = 20_261_121;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Writes the queries in the format of dnsperf. They are the same in each run. */
export function writeQuestions(folder, { zones, records, large }) {
  const dice = makeDice();
  const lines = Array.from({ length: QUESTIONS }, () => {
    const isLarge = zones === 0 || dice(2) === 0;
    const apex = isLarge ? LARGE_ZONE : `z${dice(zones)}.example`;
    const kind = dice(100);
    if (kind < MX_UP_TO) return `${apex} MX`;
    if (kind < MISSING_UP_TO) return `missing${dice(10_000)}.${apex} A`;
    return `h${dice(isLarge ? large : records)}.${apex} A`;
  });
  const path = join(folder, 'questions');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
