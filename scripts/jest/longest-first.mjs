// Sorts test files, longest first, so that none is left at the end while other workers are idle. jest stores the
// durations of files, but a fresh clone has none.
import Sequencer from '@jest/test-sequencer';

/** Files that take about 9 s or more on two processors. */
const LONGEST = [
  'e2e/test/console/scenarios',
  'e2e/test/console/console',
  'e2e/test/command-line/transcripts',
  'e2e/test/attacks/one-tenant-against-all',
  'e2e/test/secondary-zones',
  'e2e/test/launcher',
  'e2e/test/publication',
  'e2e/test/hostile-clients',
  'dns-api/test/secondary-zones',
  'e2e/test/stores-fail',
  'e2e/test/dnssec',
  // These create network interfaces, which interrupts the loading of pages in a browser, so they must not run beside
  // those of the console.
  'e2e/test/postgres-cluster',
  'identity-service/test/redis-failover',
  'nameserver/test/handover',
  'e2e/test/rolling-upgrade',
  'e2e/test/kill-under-load',
  'e2e/test/attacks/without-a-token',
  'e2e/test/growth',
  'e2e/test/openstack-commands',
  'e2e/test/dynamic-update',
  'e2e/test/zone-content-by-serial',
  'identity-service/test/redis-cluster',
  'e2e/test/deployment/sbom',
  'e2e/test/tracing',
  'e2e/test/old-clients',
  'dns-api/test/dry-run',
  'dns-api/test/isolation-restricted',
  'e2e/test/clock-jump',
  'e2e/test/backup-restore',
  'dns-api/test/isolation',
  'admin-cli/test/process',
  'e2e/test/lost-database',
  'identity-service/test/isolation',
  'e2e/test/command-line/guide',
  'dev-stack/test/embedded-postgres',
  'e2e/test/key-rotation',
  'e2e/test/secondaries',
  'identity-service/test/owner-gets-in',
  'service-kit/test/run-service',
  'e2e/test/recipes',
  'e2e/test/account-move',
  'dns-api/test/history-growth',
  'nameserver/test/transfers',
  'nameserver/test/rolling-restart',
  'dns-api/test/dnssec/month',
  'nameserver/conformance/rfc8906/header',
  'e2e/test/client-through-faults',
  'admin-cli/test/doctor',
  'dns-api/test/concurrency',
  'e2e/test/command-line/random-zones',
  'e2e/test/far-database',
  'nameserver/test/transport-hostile',
].map((name) => `/packages/${name}.test.ts`);

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => place(a.path) - place(b.path));
  }
}

function place(path) {
  const index = LONGEST.findIndex((end) => path.endsWith(end));
  return index === -1 ? LONGEST.length : index;
}
