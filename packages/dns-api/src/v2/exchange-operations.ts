import type { Operation } from '../http/operation.js';
import { DECLINED_OPERATIONS } from './declined/routes.js';
import { RULE_OPERATIONS } from './rules/routes.js';
import { SHARE_OPERATIONS } from './shares/routes.js';
import { EXPORT_OPERATIONS } from './tasks/exports.js';
import { IMPORT_OPERATIONS } from './tasks/imports.js';
import { TRANSFER_ACCEPT_OPERATIONS } from './transfers/accepts.js';
import { TRANSFER_REQUEST_OPERATIONS } from './transfers/requests.js';
import { TSIG_KEY_OPERATIONS } from './tsigkeys/routes.js';

/** Operations of v2 beside zones and recordsets. */
export const EXCHANGE_OPERATIONS: readonly Operation[] = [
  ...EXPORT_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...TRANSFER_REQUEST_OPERATIONS,
  ...TRANSFER_ACCEPT_OPERATIONS,
  ...SHARE_OPERATIONS,
  ...RULE_OPERATIONS,
  ...TSIG_KEY_OPERATIONS,
  ...DECLINED_OPERATIONS,
];
