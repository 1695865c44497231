// npm run bench:signed [-- PART ...] [--names 1000000] [--rounds 3] [--seconds 3]
//
// One large signed zone; docs/performance.md has the figures. Parts:
//   first    its first signing, by the signer and PostgreSQL, beside `dnssec-signzone -n 1` (Debian package bind9-utils)
//   large    memory, answers and denials with DO, beside NSD and Knot with the same zone as dnssec-signzone has signed it
//   live     denials of random names beside PowerDNS' live signing and Knot's onlinesign
//   creates  Create Record in signed zones beside unsigned ones, by dns-api
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCreates } from './signed/creates.mjs';
import { measureFirst } from './signed/first.mjs';
import { measureLarge } from './signed/large.mjs';
import { measureLive } from './signed/live.mjs';

const PARTS = {
  first: measureFirst,
  large: measureLarge,
  live: measureLive,
  creates: measureCreates,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    names: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
});
const unknown = positionals.find((part) => !(part in PARTS));
if (unknown !== undefined) {
  throw new Error(`There is no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}.`);
}
const folder = mkdtempSync(join(tmpdir(), 'bench-signed-'));
const world = {
  folder,
  names: Number(values.names),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
};
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.error(`measuring ${name} ...`);
    await measure(world);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
