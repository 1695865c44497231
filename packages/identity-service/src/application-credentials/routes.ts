import type { Route } from '../http/route.js';
import { createApplicationCredential } from './create-application-credential.js';
import { deleteApplicationCredential } from './delete-application-credential.js';
import { getApplicationCredential } from './get-application-credential.js';
import { listApplicationCredentials } from './list-application-credentials.js';

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
