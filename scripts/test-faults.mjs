// `npm run test:faults [-- jest arguments]` runs the long form of the tests of faults, attacks, restarts, outages and races, with the figures that docs/design/faults.md gives; it takes some hours. `npm test` includes the short form. Each of these variables can be set to another value; ZONEWRIGHT_FAULT_SEED repeats a run. Ctrl-C stops it.
const LONG = {
  ZONEWRIGHT_FILE_MINUTES: '720',
  ZONEWRIGHT_FAULT_ROUNDS: '200',
  ZONEWRIGHT_FAILOVERS: '180',
  ZONEWRIGHT_HOST_KILLS: '20',
  ZONEWRIGHT_REDIS_FAILOVERS: '20',
  ZONEWRIGHT_FAR_CHANGES: '500',
  ZONEWRIGHT_FAR_CUTS: '20',
  ZONEWRIGHT_ATTACK_MINUTES: '10',
  ZONEWRIGHT_ATTACK_ROUNDS: '1000',
  ROLLING_RESTARTS: '10',
  OUTAGE_MINUTES: '30',
  HOSTILE_BATCHES: '500',
  HOSTILE_MESSAGES: '1000000',
  ANSWERED_ZONE_SETS: '4000',
  IMPORTED_RECORDS: '100000',
  OWNER_AIMED_AT_MS: '700',
  PUBLISHED_WRITES: '1000',
  CLIENT_WRITES: '10000',
  APPLIED_ZONES: '500',
  REVERTED_HISTORIES: '300',
  PATCHED_ZONES: '1500',
  SIMULATED_CHANGES: '8640000',
  RANDOM_RDATA: '10000000',
  RANDOM_UPDATES: '10000000',
  ZONE_VERSIONS: '100',
  LARGE_ZONE: '1000000',
  ZONEWRIGHT_SIGNED_CHANGES: '10000',
  ZONEWRIGHT_SIGNED_GROUPS: '1000',
  ZONEWRIGHT_MONTH_STEP_MINUTES: '1',
  ZONEWRIGHT_SIGNED_KILLS: '1000',
  ZONEWRIGHT_HIERARCHY_CHANGES: '200',
  WRITE_SEQUENCES: '200',
  SIGNED_NAMES: '100000',
};
const TESTS = [
  'e2e/test/(dnssec|signed-zones|kill-under-load|stores-fail|hostile-clients|clock-jump|disk-full|database-refuses|log-on-full-disk|lost-database|lost-changes|postgres-cluster|three-hosts|far-database|publication|rolling-upgrade|zone-content-by-serial|secondaries|secondary-zones|dynamic-update)',
  'e2e/test/attacks/',
  'e2e/test/(client-through-faults|command-line/random-zones|console/scenarios)',
  'dns-records/test/random-(rdata|updates)',
  'dns-api/test/(dnssec/(large-zone|random-changes|month)|revert-change|zonefile|writes/equivalence)',
  'identity-service/test/(owner-gets-in|password-change-race|redis-failover|redis-cluster)',
  'nameserver/test/(rolling-restart|outage|transport-hostile|patch-zone|image-growth|plain-answer|generated-zones|hostile)',
];

for (const [name, value] of Object.entries(LONG)) process.env[name] ??= value;
process.argv.push('--maxWorkers=1');
if (!process.argv.includes('--testPathPatterns')) process.argv.push('--testPathPatterns', ...TESTS);
// The tests run in this same process, so that it ends only when everything has ended.
await import('./test.mjs');
