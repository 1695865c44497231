import type { Route } from '../http/route.js';
import { NO_STORE_NAMES } from '../tokens/token-headers.js';
import { deleteV3Token } from './delete-v3-token.js';
import { getV3Catalog } from './get-v3-catalog.js';
import { getKnownV3Token, getV3Token } from './get-v3-token.js';
import { listV3Projects } from './list-v3-projects.js';
import { listV3UserProjects } from './list-v3-user-projects.js';
import { postV3Token } from './post-v3-token.js';

const TOKENS = '/v3/auth/tokens';
const SUBJECT = 'X-Subject-Token';

export const V3_ROUTES: readonly Route[] = [
  {
    id: 'authenticateV3',
    name: 'v3 Authenticate, v3 Rescope Token',
    method: 'POST',
    path: TOKENS,
    access: 'public',
    limit: 'authenticate',
    status: 201,
    reads: 'V3Auth',
    answers: 'V3Token',
    answersHeaders: [...NO_STORE_NAMES, SUBJECT],
    faults: [403],
    handle: postV3Token,
  },
  {
    id: 'validateTokenV3',
    name: 'v3 Validate Token',
    method: 'GET',
    path: TOKENS,
    access: 'token',
    restricted: 'allowed',
    answers: 'V3Token',
    headers: [SUBJECT],
    answersHeaders: [...NO_STORE_NAMES, SUBJECT],
    faults: [404],
    handle: getV3Token,
    answerAtOnce: getKnownV3Token,
  },
  {
    id: 'checkTokenV3',
    name: 'v3 Check Token',
    method: 'HEAD',
    path: TOKENS,
    access: 'token',
    restricted: 'allowed',
    headers: [SUBJECT],
    answersHeaders: [...NO_STORE_NAMES, SUBJECT],
    faults: [404],
    handle: getV3Token,
  },
  {
    id: 'revokeTokenV3',
    name: 'v3 Revoke Token',
    method: 'DELETE',
    path: TOKENS,
    access: 'token',
    restricted: 'allowed',
    limit: 'revoke',
    status: 204,
    headers: [SUBJECT],
    faults: [404],
    handle: deleteV3Token,
  },
  {
    id: 'listProjectsV3',
    name: 'v3 List Projects',
    method: 'GET',
    path: '/v3/auth/projects',
    access: 'token',
    limit: 'listTenants',
    answers: 'V3Projects',
    handle: listV3Projects,
  },
  {
    id: 'listUserProjectsV3',
    name: "v3 List a User's Projects",
    method: 'GET',
    path: '/v3/users/{userId}/projects',
    access: 'token',
    limit: 'listTenants',
    answers: 'V3Projects',
    handle: listV3UserProjects,
  },
  {
    id: 'getCatalogV3',
    name: 'v3 Get Catalog',
    method: 'GET',
    path: '/v3/auth/catalog',
    access: 'token',
    restricted: 'allowed',
    answers: 'V3Catalog',
    handle: getV3Catalog,
  },
];
