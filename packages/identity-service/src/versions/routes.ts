import type { Route } from '../http/route.js';
import { getExtension, getExtensions } from './get-extensions.js';
import { getV2Version, getV3Version, getVersions } from './get-versions.js';

export const VERSION_ROUTES: readonly Route[] = [
  {
    operation: 'List Versions',
    method: 'GET',
    path: '/',
    access: 'public',
    handle: getVersions,
  },
  {
    operation: 'Get Version 2.0',
    method: 'GET',
    path: '/v2.0',
    access: 'public',
    handle: getV2Version,
  },
  {
    operation: 'Get Version 3',
    method: 'GET',
    path: '/v3',
    access: 'public',
    handle: getV3Version,
  },
  {
    operation: 'List Extensions',
    method: 'GET',
    path: '/v2.0/extensions',
    access: 'public',
    handle: getExtensions,
  },
  {
    operation: 'Get Extension',
    method: 'GET',
    path: '/v2.0/extensions/{alias}',
    access: 'public',
    handle: getExtension,
  },
];
