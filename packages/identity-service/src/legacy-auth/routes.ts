import type { Route } from '../http/route.js';
import { legacyAuthenticate } from './legacy-authenticate.js';

/** Identity s9: legacy authentication lives at root paths. */
const PATHS = ['/v1.0', '/v1.1', '/auth/v1.0', '/auth/v1.1'];

export const LEGACY_ROUTES: readonly Route[] = PATHS.map((path) => ({
  operation: 'Legacy Authentication',
  method: 'GET',
  path,
  isLogin: true,
  access: 'public',
  limit: 'legacyAuthentication',
  handle: legacyAuthenticate,
}));
