import type { Route } from '../http/route.js';
import { createAccessKey } from './create-access-key.js';
import { deleteAccessKey } from './delete-access-key.js';
import { getAccessKey } from './get-access-key.js';
import { importAccessKeys } from './import-access-keys.js';
import { listAccessKeys } from './list-access-keys.js';
import { updateAccessKey } from './update-access-key.js';

const KEYS = '/v2.0/EXT-IDM/v1.0/accesskeys';
const KEY = `${KEYS}/{accesskeyId}`;

export const ACCESS_KEY_ROUTES: readonly Route[] = [
  {
    operation: 'Create User Access Key',
    method: 'POST',
    path: KEYS,
    access: 'token',
    limit: 'createAccessKey',
    handle: createAccessKey,
  },
  {
    operation: 'Delete User Access Key',
    method: 'DELETE',
    path: KEY,
    access: 'token',
    limit: 'deleteAccessKey',
    handle: deleteAccessKey,
  },
  {
    operation: 'Get Access Keys',
    method: 'GET',
    path: KEYS,
    access: 'token',
    limit: 'getAccessKeys',
    handle: listAccessKeys,
  },
  {
    operation: 'Get An Access Key',
    method: 'GET',
    path: KEY,
    access: 'token',
    limit: 'getAccessKey',
    handle: getAccessKey,
  },
  {
    operation: 'Import User Access Key',
    method: 'PUT',
    path: KEYS,
    access: 'token',
    limit: 'importAccessKeys',
    handle: importAccessKeys,
  },
  {
    operation: 'Update User Access Key',
    method: 'PUT',
    path: KEY,
    access: 'token',
    limit: 'updateAccessKey',
    handle: updateAccessKey,
  },
];
