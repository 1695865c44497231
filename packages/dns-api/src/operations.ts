import { ANSWER_OPERATIONS } from './v1/answers.js';
import { BATCH_OPERATIONS } from './v1/batch.js';
import { DOCTOR_OPERATIONS } from './v1/check.js';
import { DNSSEC_OPERATIONS } from './v1/dnssec.js';
import { DOMAIN_OPERATIONS } from './v1/domains.js';
import { INTEGRATION_OPERATIONS, UPDATE_OPERATIONS } from './protocols/routes.js';
import { EVENT_OPERATIONS, PUBLICATION_OPERATIONS } from './v1/publication.js';
import { HISTORY_OPERATIONS } from './v1/history.js';
import type { Operation } from './http/operation.js';
import { describeOperations, LIMIT_OPERATIONS, VERSION_OPERATIONS } from './v1/versions.js';
import { NAMESERVER_OPERATIONS, SERVER_OPERATIONS } from './v1/nameservers.js';
import { PEER_OPERATIONS } from './v1/peers.js';
import { NOTIFY_OPERATIONS, SECONDARY_OPERATIONS } from './v1/secondaries.js';
import { RECORD_OPERATIONS } from './v1/records.js';
import { SEARCH_OPERATIONS } from './v1/search.js';
import { V2_OPERATIONS } from './v2/operations.js';
import { ZONE_FILE_OPERATIONS } from './v1/zone-files.js';

/**
 * All documented operations: first those of DNS API, section 4, in its order, then the other operations of v1, then
 * v2.
 */
export const DESCRIBED_OPERATIONS: readonly Operation[] = [
  ...LIMIT_OPERATIONS,
  ...DOMAIN_OPERATIONS,
  ...SERVER_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...BATCH_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...PUBLICATION_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...DOCTOR_OPERATIONS,
  ...ANSWER_OPERATIONS,
  ...DNSSEC_OPERATIONS,
  ...SEARCH_OPERATIONS,
  ...ZONE_FILE_OPERATIONS,
  ...PEER_OPERATIONS,
  ...SECONDARY_OPERATIONS,
  ...NAMESERVER_OPERATIONS,
  ...VERSION_OPERATIONS,
  ...V2_OPERATIONS,
];

/** All operations, including internal ones and those of other protocols. */
export const OPERATIONS: readonly Operation[] = [
  ...DESCRIBED_OPERATIONS,
  describeOperations(DESCRIBED_OPERATIONS),
  ...UPDATE_OPERATIONS,
  ...NOTIFY_OPERATIONS,
  ...INTEGRATION_OPERATIONS,
];
