import type { Operation } from '../http/operation.js';
import { EXCHANGE_OPERATIONS } from './exchange-operations.js';
import { RECORDSET_OPERATIONS } from './recordsets/routes.js';
import { ZONE_OPERATIONS } from './zones/routes.js';

/** The operations of Designate v2. */
export const V2_OPERATIONS: readonly Operation[] = [
  ...ZONE_OPERATIONS,
  ...RECORDSET_OPERATIONS,
  ...EXCHANGE_OPERATIONS,
];
