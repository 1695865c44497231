// The order of test files: those that take longest first, so that none of them is left over at the end while other workers have
// nothing to do. jest remembers how long files took, but not in a fresh clone.
import Sequencer from '@jest/test-sequencer';

/** All that take more than about 20 s on two busy processors. */
const LONGEST = [
  'identity-service/test/isolation',
  'e2e/test/rolling-upgrade',
  'e2e/test/attacks/one-tenant-against-all',
  'dns-api/test/isolation-restricted',
  'e2e/test/growth',
  'e2e/test/zone-content-by-serial',
  'e2e/test/stores-fail',
  'e2e/test/hostile-clients',
  'e2e/test/launcher',
  'e2e/test/attacks/without-a-token',
  'dns-api/test/dry-run',
  'dns-api/test/zonefile',
  'e2e/test/kill-under-load',
  'e2e/test/publication',
  'e2e/test/openstack-commands',
  'e2e/test/tracing',
  'identity-service/test/redis-failover',
  'identity-service/test/owner-gets-in',
  'nameserver/test/rolling-restart',
  'nameserver/test/handover',
  'dev-stack/test/embedded-postgres',
  'dns-api/test/revert-change',
  'e2e/test/deployment/sbom',
  'dns-api/test/kill',
  'database/test/feed-lineage',
  'database/test/standby-feed',
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
