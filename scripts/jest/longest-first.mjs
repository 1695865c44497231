// The order of test files: those that take longest first, so that none of them is left over at the end while other workers have
// nothing to do. jest remembers how long files took, but not in a fresh clone.
import Sequencer from '@jest/test-sequencer';

/** All that take more than about 12 s on two processors. */
const LONGEST = [
  'e2e/test/console/scenarios',
  'e2e/test/console/console',
  'dns-api/test/secondary-zones',
  'e2e/test/postgres-cluster',
  'e2e/test/secondary-zones',
  'e2e/test/dnssec',
  'e2e/test/command-line/transcripts',
  'e2e/test/hostile-clients',
  'e2e/test/attacks/one-tenant-against-all',
  'e2e/test/kill-under-load',
  'e2e/test/launcher',
  'e2e/test/publication',
  'e2e/test/rolling-upgrade',
  'e2e/test/dynamic-update',
  'e2e/test/openstack-commands',
  'e2e/test/command-line/guide',
  'e2e/test/backup-restore',
  'e2e/test/account-move',
  'e2e/test/stores-fail',
  'e2e/test/zone-content-by-serial',
  'e2e/test/old-clients',
  'e2e/test/attacks/without-a-token',
  'e2e/test/client-through-faults',
  'e2e/test/key-rotation',
  'e2e/test/tracing',
  'e2e/test/clock-jump',
  'e2e/test/secondaries',
  'e2e/test/lost-database',
  'e2e/test/growth',
  'e2e/test/changes-take-effect',
  'e2e/test/recipes',
  'dns-api/test/history-growth',
  'identity-service/test/redis-failover',
  'admin-cli/test/transfer',
  'nameserver/test/rolling-restart',
  'dns-api/test/zonefile',
  'nameserver/test/handover',
  'e2e/test/command-line/random-zones',
  'e2e/test/command-line/stranger',
  'nameserver/test/plain-answer.property',
  'identity-service/test/bodies',
  'nameserver/test/transfers',
  'identity-service/test/isolation',
  'admin-cli/test/doctor',
  'dns-api/test/unread-bodies',
  'identity-service/test/owner-gets-in',
  'nameserver/conformance/rfc8906/header',
  'dns-api/test/dry-run',
  'dev-stack/test/embedded-postgres',
  'e2e/test/deployment/sbom',
  'dns-api/test/isolation-restricted',
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
