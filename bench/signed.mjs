// npm run bench:signed [-- PART ...] [--names 1000000] [--rounds 3] [--seconds 3] [--connections 32]
//
// Measures one large signed zone; docs/design/performance.md has the figures. Parts:
//   first    first signing by the signer and PostgreSQL, compared with `dnssec-signzone -n 1` (Debian package bind9-utils)
//   large    memory, answers and denials with DO, compared with NSD and Knot with the zone signed by dnssec-signzone
//   live     denials of random names compared with live signing of PowerDNS and onlinesign of Knot
//   creates  Create Record in signed and unsigned zones, by dns-api
//   delays   from its commit to the nameserver's answer, in small zones and in zones of 100,000 names
import { measureParts, readParts } from './lib/parts.mjs';
import { measureCreates } from './signed/creates.mjs';
import { measureDelays } from './signed/delays.mjs';
import { measureFirst } from './signed/first.mjs';
import { measureLarge } from './signed/large.mjs';
import { measureLive } from './signed/live.mjs';

const PARTS = {
  first: measureFirst,
  large: measureLarge,
  live: measureLive,
  creates: measureCreates,
  delays: measureDelays,
};

const { numbers, chosen } = readParts(PARTS, {
  names: 1_000_000,
  rounds: 3,
  seconds: 3,
  connections: 32,
});
await measureParts(chosen, (folder) => ({ folder, ...numbers }));
