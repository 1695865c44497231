import { ACCESS_KEY_ROUTES } from './access-keys/routes.js';
import { ADMINISTRATION_ROUTES } from './administration/routes.js';
import { APPLICATION_CREDENTIAL_ROUTES } from './application-credentials/routes.js';
import type { Route } from './http/route.js';
import { LEGACY_ROUTES } from './legacy-auth/routes.js';
import { describeRoutes } from './openapi/routes.js';
import { TENANT_ROUTES } from './tenants/routes.js';
import { TOKEN_ROUTES } from './tokens/routes.js';
import { V3_ROUTES } from './v3/routes.js';
import { SHOWN_KEY_ROUTES } from './shown-keys/routes.js';
import { TSIG_ROUTES } from './tsig/routes.js';
import { VERSION_ROUTES } from './versions/routes.js';

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
  ...SHOWN_KEY_ROUTES,
  describeRoutes(() => ROUTES),
];
