import { notFound } from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import { type ApiRequest, type ApiResponse, EXTENSION_SEGMENT } from '../http/route.js';
import {
  API_VERSIONS,
  type Extension,
  EXTENSION_RESOURCE,
  EXTENSIONS_RESOURCE,
  getApiVersion,
  listApiVersions,
  V2_VERSION,
  V3_VERSION,
} from '../representation/versions.js';

/** GET /: 300 Multiple Choices with the available versions. */
export function getVersions(_context: Context, { baseUrl }: ApiRequest): ApiResponse {
  return { status: 300, body: represent(API_VERSIONS, listApiVersions(baseUrl)) };
}

/** GET /v2.0 */
export function getV2Version(_context: Context, { baseUrl }: ApiRequest): ApiResponse {
  return { status: 200, body: represent(V2_VERSION, getApiVersion(baseUrl, 'v2.0')) };
}

/** GET /v3 */
export function getV3Version(_context: Context, { baseUrl }: ApiRequest): ApiResponse {
  return { status: 200, body: represent(V3_VERSION, getApiVersion(baseUrl, 'v3')) };
}

/** GET /v2.0/extensions */
export function getExtensions(context: Context, request: ApiRequest): ApiResponse {
  return { status: 200, body: represent(EXTENSIONS_RESOURCE, listExtensions(context, request)) };
}

/** GET /v2.0/extensions/{alias} */
export function getExtension(context: Context, request: ApiRequest): ApiResponse {
  const extension = listExtensions(context, request).find(
    ({ alias }) => alias === request.params['alias'],
  );
  if (extension === undefined) throw notFound('extension not found');
  return { status: 200, body: represent(EXTENSION_RESOURCE, extension) };
}

function listExtensions({ settings }: Context, { baseUrl }: ApiRequest): Extension[] {
  return [EXTENSION_SEGMENT, ...settings.extensionAliases].map((alias) => ({
    alias,
    selfUrl: `${baseUrl}/v2.0/extensions/${alias}`,
  }));
}
