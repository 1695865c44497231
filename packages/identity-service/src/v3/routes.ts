import { NO_STORE_NAMES } from '../http/login.js';
import type { Route } from '../http/route.js';
import {
  createApplicationCredential,
  deleteApplicationCredential,
  getApplicationCredential,
  listApplicationCredentials,
} from './application-credentials.js';
import { listV3Projects, listV3UserProjects } from './projects.js';
import { deleteV3Token, getKnownV3Token, getV3Catalog, getV3Token, postV3Token } from './tokens.js';

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

const CREDENTIALS = '/v3/users/{userId}/application_credentials';
const CREDENTIAL = `${CREDENTIALS}/{credentialId}`;

export const APPLICATION_CREDENTIAL_ROUTES: readonly Route[] = [
  {
    id: 'createApplicationCredential',
    name: 'v3 Create Application Credential',
    method: 'POST',
    path: CREDENTIALS,
    access: 'token',
    limit: 'createAccessKey',
    status: 201,
    reads: 'NewApplicationCredential',
    answers: 'ApplicationCredential',
    faults: [409],
    handle: createApplicationCredential,
  },
  {
    id: 'listApplicationCredentials',
    name: 'v3 List Application Credentials',
    method: 'GET',
    path: CREDENTIALS,
    access: 'token',
    limit: 'getAccessKeys',
    answers: 'ApplicationCredentials',
    query: { name: { type: 'string' } },
    handle: listApplicationCredentials,
  },
  {
    id: 'getApplicationCredential',
    name: 'v3 Get Application Credential',
    method: 'GET',
    path: CREDENTIAL,
    access: 'token',
    limit: 'getAccessKey',
    answers: 'ApplicationCredential',
    handle: getApplicationCredential,
  },
  {
    id: 'deleteApplicationCredential',
    name: 'v3 Delete Application Credential',
    method: 'DELETE',
    path: CREDENTIAL,
    access: 'token',
    limit: 'deleteAccessKey',
    status: 204,
    handle: deleteApplicationCredential,
  },
];
