import { ServiceError } from '@zonewright/service-kit';
import { getZone } from '@zonewright/zones';
import type { Operation } from '../http/operation.js';
import { EXPORT_OPERATIONS } from './exports.js';
import { ofV2 } from './http/operation.js';
import { IMPORT_OPERATIONS } from './imports.js';
import { LIMIT_OPERATIONS, VERSION_OPERATIONS } from './limits.js';
import { POOL_OPERATIONS } from './pools.js';
import { QUOTA_OPERATIONS } from './quotas.js';
import { RECORDSET_OPERATIONS } from './recordsets.js';
import { RULE_OPERATIONS } from './rules.js';
import { SERVICE_STATUS_OPERATIONS } from './service-statuses.js';
import { SHARE_OPERATIONS } from './shares.js';
import { TRANSFER_ACCEPT_OPERATIONS, TRANSFER_REQUEST_OPERATIONS } from './transfers.js';
import { TSIG_KEY_OPERATIONS } from './tsigkeys.js';
import { ZONE_OPERATIONS } from './zones.js';

/** Operations of Designate on zones that this service rejects, with the reason. */
const DECLINED = [
  {
    id: 'abandonZone',
    name: 'Abandon Zone (v2)',
    task: 'abandon',
    why: 'A zone cannot be abandoned: nameservers serve only zones that are stored here. Delete the zone instead.',
  },
  {
    id: 'moveZoneToPool',
    name: 'Move Zone to Another Pool (v2)',
    task: 'pool_move',
    why: 'There is only one pool, so zones cannot be moved.',
  },
] as const;

export const DECLINED_OPERATIONS: readonly Operation[] = ofV2(
  DECLINED.map(({ id, name, task, why }) => ({
    id,
    name,
    method: 'POST' as const,
    path: `/zones/{zone_id}/tasks/${task}`,
    access: 'tenant' as const,
    body: 'none' as const,
    handle: async ({ db }, { caller, params }) => {
      await getZone(db, caller, params['zone_id'] ?? '');
      throw new ServiceError('forbidden', why);
    },
  })),
);

const EXCHANGE_OPERATIONS: readonly Operation[] = [
  ...EXPORT_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...TRANSFER_REQUEST_OPERATIONS,
  ...TRANSFER_ACCEPT_OPERATIONS,
  ...SHARE_OPERATIONS,
  ...RULE_OPERATIONS,
  ...TSIG_KEY_OPERATIONS,
  ...DECLINED_OPERATIONS,
];

/** All operations of v2. Their changes have this source in the history. */
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
