import type { Operation } from '../../http/operation.js';
import { ofV2 } from '../http/operation.js';
import { describeList } from '../openapi/list-parameters.js';
import { listZonesReply, ZONE_LIST } from './list-zones.js';

export const ZONE_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'listZonesV2',
    name: 'List Zones (v2)',
    method: 'GET',
    path: '/zones',
    access: 'tenant',
    body: 'none',
    answers: 'ZonesV2',
    query: describeList(ZONE_LIST),
    handle: listZonesReply,
  },
]);
