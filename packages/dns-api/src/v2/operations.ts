import type { Operation } from '../http/operation.js';
import { EXCHANGE_OPERATIONS } from './exchange-operations.js';
import { LIMIT_OPERATIONS } from './limits/routes.js';
import { POOL_OPERATIONS } from './pools/routes.js';
import { QUOTA_OPERATIONS } from './quotas/routes.js';
import { RECORDSET_OPERATIONS } from './recordsets/routes.js';
import { SERVICE_STATUS_OPERATIONS } from './service-statuses/routes.js';
import { VERSION_OPERATIONS } from './versions/routes.js';
import { ZONE_OPERATIONS } from './zones/routes.js';

/** Operations of Designate v2, whose changes have this source in the history. */
export const V2_OPERATIONS: readonly Operation[] = [
  ...VERSION_OPERATIONS,
  ...ZONE_OPERATIONS,
  ...RECORDSET_OPERATIONS,
  ...LIMIT_OPERATIONS,
  ...QUOTA_OPERATIONS,
  ...POOL_OPERATIONS,
  ...SERVICE_STATUS_OPERATIONS,
  ...EXCHANGE_OPERATIONS,
].map((operation) => ({ source: 'designate', ...operation }));
