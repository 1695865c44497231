import type { Route } from '../http/route.js';
import { getExtension, getExtensions } from './get-extensions.js';
import { getV2Version, getV3Version, getVersions } from './get-versions.js';

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
