import type { Operation } from '../http/operation.js';
import { EXCHANGE_OPERATIONS } from './exchange-operations.js';
import { ZONE_OPERATIONS } from './zones/routes.js';

/** The operations of Designate v2. */
export const V2_OPERATIONS: readonly Operation[] = [...ZONE_OPERATIONS, ...EXCHANGE_OPERATIONS];
