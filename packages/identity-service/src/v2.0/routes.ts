import { NO_STORE_NAMES } from '../http/login.js';
import type { Route } from '../http/route.js';
import { legacyAuthenticate } from './legacy.js';
import { listTenants } from './tenants.js';
import {
  deleteToken,
  deleteTokenOnCorePath,
  getCachedToken,
  getToken,
  getTokenEndpoints,
  headToken,
  postTokens,
} from './tokens.js';
import {
  getExtension,
  getExtensions,
  getV2Version,
  getV3Version,
  getVersions,
} from './versions.js';

export const TOKEN_ROUTES: readonly Route[] = [
  {
    id: 'authenticate',
    name: 'Authenticate, Rescope Token',
    method: 'POST',
    path: '/v2.0/tokens',
    access: 'public',
    limit: 'authenticate',
    reads: 'Auth',
    answers: 'Access',
    answersHeaders: NO_STORE_NAMES,
    faults: [403],
    handle: postTokens,
  },
  {
    id: 'revokeToken',
    name: 'Revoke Token',
    method: 'DELETE',
    path: '/v2.0/EXT-IDM/v1.0/tokens/{tokenId}',
    access: 'token',
    restricted: 'allowed',
    limit: 'revoke',
    handle: deleteToken,
  },
  {
    id: 'revokeTokenOnCorePath',
    name: 'Revoke Token (core path)',
    method: 'DELETE',
    path: '/v2.0/tokens/{tokenId}',
    access: 'token',
    restricted: 'allowed',
    limit: 'revoke',
    status: 204,
    handle: deleteTokenOnCorePath,
  },
  {
    id: 'validateToken',
    name: 'Validate Token',
    method: 'GET',
    path: '/v2.0/tokens/{tokenId}',
    access: 'token',
    answers: 'AccessWithoutCatalog',
    answersHeaders: NO_STORE_NAMES,
    query: { belongsTo: { type: 'string' } },
    faults: [400],
    handle: getToken,
    answerAtOnce: getCachedToken,
  },
  {
    id: 'checkToken',
    name: 'Check Token',
    method: 'HEAD',
    path: '/v2.0/tokens/{tokenId}',
    access: 'token',
    status: 204,
    answersHeaders: NO_STORE_NAMES,
    query: { belongsTo: { type: 'string' } },
    handle: headToken,
  },
  {
    id: 'listTokenEndpoints',
    name: 'List Token Endpoints',
    method: 'GET',
    path: '/v2.0/tokens/{tokenId}/endpoints',
    access: 'token',
    answers: 'Endpoints',
    handle: getTokenEndpoints,
  },
];

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

export const VERSION_ROUTES: readonly Route[] = [
  {
    id: 'listVersions',
    name: 'List Versions',
    method: 'GET',
    path: '/',
    access: 'public',
    status: 300,
    answers: 'Versions',
    handle: getVersions,
  },
  {
    id: 'getVersion2',
    name: 'Get Version 2.0',
    method: 'GET',
    path: '/v2.0',
    access: 'public',
    answers: 'Version2',
    handle: getV2Version,
  },
  {
    id: 'getVersion3',
    name: 'Get Version 3',
    method: 'GET',
    path: '/v3',
    access: 'public',
    answers: 'Version3',
    handle: getV3Version,
  },
  {
    id: 'listExtensions',
    name: 'List Extensions',
    method: 'GET',
    path: '/v2.0/extensions',
    access: 'public',
    answers: 'Extensions',
    handle: getExtensions,
  },
  {
    id: 'getExtension',
    name: 'Get Extension',
    method: 'GET',
    path: '/v2.0/extensions/{alias}',
    access: 'public',
    answers: 'Extension',
    handle: getExtension,
  },
];

/** Legacy authentication uses root paths (Identity s9). */
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
