import type { Route } from '../http/route.js';
import { listTenants } from './list-tenants.js';

export const TENANT_ROUTES: readonly Route[] = [
  {
    id: 'listTenants',
    name: 'List Tenants',
    method: 'GET',
    path: '/v2.0/tenants',
    access: 'token',
    limit: 'listTenants',
    answers: 'Tenants',
    query: {
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      marker: { type: 'string' },
      name: { type: 'string' },
    },
    faults: [404],
    handle: listTenants,
  },
];
