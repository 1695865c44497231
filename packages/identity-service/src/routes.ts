import { ACCESS_KEY_ROUTES, PRESENTED_KEY_ROUTES, TSIG_ROUTES } from './access-keys/routes.js';
import { ADMINISTRATION_ROUTES } from './administration/routes.js';
import { APPLICATION_CREDENTIAL_ROUTES, V3_ROUTES } from './v3/routes.js';
import type { Route } from './http/route.js';
import { LEGACY_ROUTES, TENANT_ROUTES, TOKEN_ROUTES, VERSION_ROUTES } from './v2.0/routes.js';
import { describeRoutes } from './http/openapi.js';

/** Every operation of the service, in the order of the API document (Identity s4). */
export const ROUTES: readonly Route[] = [
  ...VERSION_ROUTES,
  ...TENANT_ROUTES,
  ...TOKEN_ROUTES,
  ...LEGACY_ROUTES,
  ...ACCESS_KEY_ROUTES,
  ...V3_ROUTES,
  ...ADMINISTRATION_ROUTES,
  ...APPLICATION_CREDENTIAL_ROUTES,
  ...TSIG_ROUTES,
  ...PRESENTED_KEY_ROUTES,
  describeRoutes(() => ROUTES),
];
