import { ACCESS_KEY_STATES } from '@zonewright/accounts';
import type { Route } from '../http/route.js';
import {
  createAccessKey,
  deleteAccessKey,
  importAccessKeys,
  updateAccessKey,
} from './change-access-keys.js';
import { checkPresentedKey } from './presented-key.js';
import { getAccessKey, listAccessKeys } from './read-access-keys.js';
import { answerSigned, checkTsig, exchangeTsig, signTransfer } from './tsig.js';

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

/**
 * Internal operations for services. They return the signer of a message that is signed with an access key (RFC 8945),
 * and the signed answer (ADR 0033).
 */
export const TSIG_ROUTES: readonly Route[] = [
  {
    id: 'checkTsig',
    name: 'Check TSIG',
    method: 'POST',
    path: '/v3/internal/tsig/verify',
    access: 'token',
    json: { reads: 'TsigCheck', answers: 'CheckedTsig', hasMessages: 'few' },
    faults: [429],
    handle: checkTsig,
  },
  {
    id: 'exchangeTsig',
    name: 'Exchange TSIG',
    method: 'POST',
    path: '/v3/internal/tsig/exchange',
    access: 'token',
    json: { reads: 'TsigExchange', answers: 'TsigExchanged', hasMessages: 'few' },
    handle: exchangeTsig,
  },
  {
    id: 'signTsigAnswer',
    name: 'Sign TSIG Answer',
    method: 'POST',
    path: '/v3/internal/tsig/sign',
    access: 'token',
    json: { reads: 'TsigAnswer', answers: 'SignedTsigAnswer', hasMessages: 'few' },
    handle: answerSigned,
  },
  {
    id: 'signTsigTransfer',
    name: 'Sign Zone Transfer',
    method: 'POST',
    path: '/v3/internal/tsig/sign-transfer',
    access: 'token',
    json: { reads: 'TsigTransfer', answers: 'SignedTsigTransfer', hasMessages: 'transfer' },
    handle: signTransfer,
  },
];

/**
 * Internal operations for services. They return the owner of an access key that a program presented in a protocol
 * without tokens (ADR 0031).
 */
export const PRESENTED_KEY_ROUTES: readonly Route[] = [
  {
    id: 'checkShownKey',
    name: 'Check Presented Access Key',
    method: 'POST',
    path: '/v3/internal/access-keys/verify',
    access: 'token',
    json: { reads: 'ShownKey', answers: 'CheckedKey' },
    faults: [429],
    handle: checkPresentedKey,
  },
];
