import type { Route } from '../http/route.js';
import { deleteToken, deleteTokenOnCorePath } from './delete-token.js';
import { getTokenEndpoints } from './get-token-endpoints.js';
import { getKnownToken, getToken, headToken } from './get-token.js';
import { postTokens } from './post-tokens.js';
import { NO_STORE_NAMES } from './token-headers.js';

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
    answerAtOnce: getKnownToken,
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
