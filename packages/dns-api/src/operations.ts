import { ANSWER_OPERATIONS } from './answers/routes.js';
import { BATCH_OPERATIONS } from './batch/routes.js';
import { DOCTOR_OPERATIONS } from './check/routes.js';
import { DNSSEC_OPERATIONS } from './dnssec/routes.js';
import { DOMAIN_OPERATIONS } from './domains/routes.js';
import { UPDATE_OPERATIONS } from './dynamic-update/routes.js';
import { EVENT_OPERATIONS } from './events/routes.js';
import { HISTORY_OPERATIONS } from './history/routes.js';
import type { Operation } from './http/operation.js';
import { LIMIT_OPERATIONS } from './quotas/routes.js';
import { describeOperations } from './openapi/routes.js';
import { NAMESERVER_OPERATIONS } from './nameservers/routes.js';
import { PEER_OPERATIONS } from './peers/routes.js';
import { NOTIFY_OPERATIONS, SECONDARY_OPERATIONS } from './secondaries/routes.js';
import { PUBLICATION_OPERATIONS } from './publication/routes.js';
import { RECORD_OPERATIONS } from './records/routes.js';
import { SEARCH_OPERATIONS } from './search/routes.js';
import { SERVER_OPERATIONS } from './servers/routes.js';
import { V2_OPERATIONS } from './v2/operations.js';
import { INTEGRATION_OPERATIONS } from './small-protocols/routes.js';
import { VERSION_OPERATIONS } from './versions/routes.js';
import { ZONE_FILE_OPERATIONS } from './zonefile/routes.js';

/** Every operation that is described: those of DNS API s4 in its order, then what goes beyond it, then v2. */
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

/** Every operation, with those that are for other parts of the platform alone, and those that others describe. */
export const OPERATIONS: readonly Operation[] = [
  ...DESCRIBED_OPERATIONS,
  describeOperations(DESCRIBED_OPERATIONS),
  ...UPDATE_OPERATIONS,
  ...NOTIFY_OPERATIONS,
  ...INTEGRATION_OPERATIONS,
];
