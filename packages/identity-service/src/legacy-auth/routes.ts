import type { Route } from '../http/route.js';
import { NO_STORE_NAMES } from '../tokens/token-headers.js';
import { legacyAuthenticate } from './legacy-authenticate.js';

/** Identity s9: legacy authentication lives at root paths. */
const PATHS = {
  '/v1.0': 'authenticateAtV10',
  '/v1.1': 'authenticateAtV11',
  '/auth/v1.0': 'authenticateAtAuthV10',
  '/auth/v1.1': 'authenticateAtAuthV11',
};

export const LEGACY_ROUTES: readonly Route[] = Object.entries(PATHS).map(([path, id]) => ({
  id,
  name: 'Legacy Authentication',
  method: 'GET',
  path,
  isLogin: true,
  access: 'public',
  limit: 'legacyAuthentication',
  answers: 'AccessWithoutCatalog',
  headers: ['X-Auth-User', 'X-Auth-Key'],
  answersHeaders: [...NO_STORE_NAMES, 'X-Auth-Token', 'X-Storage-Token', 'X-Storage-Url'],
  handle: legacyAuthenticate,
}));
