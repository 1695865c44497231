import type { Route } from '../http/route.js';
import { listTenants } from './list-tenants.js';

export const TENANT_ROUTES: readonly Route[] = [
  {
    operation: 'List Tenants',
    method: 'GET',
    path: '/v2.0/tenants',
    access: 'token',
    limit: 'listTenants',
    handle: listTenants,
  },
];
