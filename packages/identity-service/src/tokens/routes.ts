import type { Route } from '../http/route.js';
import { deleteToken, deleteTokenOnCorePath } from './delete-token.js';
import { getTokenEndpoints } from './get-token-endpoints.js';
import { getKnownToken, getToken, headToken } from './get-token.js';
import { postTokens } from './post-tokens.js';

export const TOKEN_ROUTES: readonly Route[] = [
  {
    operation: 'Authenticate, Rescope Token',
    method: 'POST',
    path: '/v2.0/tokens',
    access: 'public',
    limit: 'authenticate',
    handle: postTokens,
  },
  {
    operation: 'Revoke Token',
    method: 'DELETE',
    path: '/v2.0/EXT-IDM/v1.0/tokens/{tokenId}',
    access: 'token',
    limit: 'revoke',
    handle: deleteToken,
  },
  {
    operation: 'Revoke Token (core path)',
    method: 'DELETE',
    path: '/v2.0/tokens/{tokenId}',
    access: 'token',
    limit: 'revoke',
    handle: deleteTokenOnCorePath,
  },
  {
    operation: 'Validate Token',
    method: 'GET',
    path: '/v2.0/tokens/{tokenId}',
    access: 'token',
    handle: getToken,
    answerAtOnce: getKnownToken,
  },
  {
    operation: 'Check Token',
    method: 'HEAD',
    path: '/v2.0/tokens/{tokenId}',
    access: 'token',
    handle: headToken,
  },
  {
    operation: 'List Token Endpoints',
    method: 'GET',
    path: '/v2.0/tokens/{tokenId}/endpoints',
    access: 'token',
    handle: getTokenEndpoints,
  },
];
