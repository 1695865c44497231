import type { Route } from '../http/route.js';
import { ACCESS_KEY_STATES } from '@zonewright/accounts';
import { createAccessKey } from './create-access-key.js';
import { deleteAccessKey } from './delete-access-key.js';
import { getAccessKey } from './get-access-key.js';
import { importAccessKeys } from './import-access-keys.js';
import { listAccessKeys } from './list-access-keys.js';
import { updateAccessKey } from './update-access-key.js';

const KEYS = '/v2.0/EXT-IDM/v1.0/accesskeys';
const KEY = `${KEYS}/{accesskeyId}`;

const TEXT = { type: 'string' };
const USER_ID = { userId: TEXT };
const EXPORT = { export: { type: 'boolean', default: false } };

export const ACCESS_KEY_ROUTES: readonly Route[] = [
  {
    id: 'createAccessKey',
    name: 'Create User Access Key',
    method: 'POST',
    path: KEYS,
    access: 'token',
    limit: 'createAccessKey',
    status: 201,
    reads: 'NewAccessKey',
    answers: 'AccessKey',
    faults: [404, 409],
    handle: createAccessKey,
  },
  {
    id: 'deleteAccessKey',
    name: 'Delete User Access Key',
    method: 'DELETE',
    path: KEY,
    access: 'token',
    limit: 'deleteAccessKey',
    status: 204,
    query: USER_ID,
    handle: deleteAccessKey,
  },
  {
    id: 'listAccessKeys',
    name: 'Get Access Keys',
    method: 'GET',
    path: KEYS,
    access: 'token',
    limit: 'getAccessKeys',
    answers: 'AccessKeys',
    query: {
      ...USER_ID,
      ...EXPORT,
      extended: { type: 'boolean', default: false },
      domainId: TEXT,
      status: { enum: ACCESS_KEY_STATES },
      limit: { type: 'integer', minimum: 1, maximum: 250, default: 250 },
      marker: TEXT,
    },
    faults: [404],
    handle: listAccessKeys,
  },
  {
    id: 'getAccessKey',
    name: 'Get An Access Key',
    method: 'GET',
    path: KEY,
    access: 'token',
    limit: 'getAccessKey',
    answers: 'AccessKey',
    query: { ...USER_ID, ...EXPORT },
    handle: getAccessKey,
  },
  {
    id: 'importAccessKeys',
    name: 'Import User Access Key',
    method: 'PUT',
    path: KEYS,
    access: 'token',
    limit: 'importAccessKeys',
    reads: 'ImportedAccessKeys',
    answers: 'AccessKeys',
    faults: [404, 409],
    handle: importAccessKeys,
  },
  {
    id: 'updateAccessKey',
    name: 'Update User Access Key',
    method: 'PUT',
    path: KEY,
    access: 'token',
    limit: 'updateAccessKey',
    reads: 'AccessKeyUpdate',
    answers: 'AccessKey',
    query: USER_ID,
    handle: updateAccessKey,
  },
];
