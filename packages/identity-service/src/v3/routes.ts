import type { Route } from '../http/route.js';
import { deleteV3Token } from './delete-v3-token.js';
import { getV3Catalog } from './get-v3-catalog.js';
import { getKnownV3Token, getV3Token } from './get-v3-token.js';
import { listV3Projects } from './list-v3-projects.js';
import { listV3UserProjects } from './list-v3-user-projects.js';
import { postV3Token } from './post-v3-token.js';

const TOKENS = '/v3/auth/tokens';

export const V3_ROUTES: readonly Route[] = [
  {
    operation: 'v3 Authenticate, v3 Rescope Token',
    method: 'POST',
    path: TOKENS,
    access: 'public',
    limit: 'authenticate',
    handle: postV3Token,
  },
  {
    operation: 'v3 Validate Token',
    method: 'GET',
    path: TOKENS,
    access: 'token',
    handle: getV3Token,
    answerAtOnce: getKnownV3Token,
  },
  {
    operation: 'v3 Check Token',
    method: 'HEAD',
    path: TOKENS,
    access: 'token',
    handle: getV3Token,
  },
  {
    operation: 'v3 Revoke Token',
    method: 'DELETE',
    path: TOKENS,
    access: 'token',
    limit: 'revoke',
    handle: deleteV3Token,
  },
  {
    operation: 'v3 List Projects',
    method: 'GET',
    path: '/v3/auth/projects',
    access: 'token',
    limit: 'listTenants',
    handle: listV3Projects,
  },
  {
    operation: "v3 List a User's Projects",
    method: 'GET',
    path: '/v3/users/{userId}/projects',
    access: 'token',
    limit: 'listTenants',
    handle: listV3UserProjects,
  },
  {
    operation: 'v3 Get Catalog',
    method: 'GET',
    path: '/v3/auth/catalog',
    access: 'token',
    handle: getV3Catalog,
  },
];
