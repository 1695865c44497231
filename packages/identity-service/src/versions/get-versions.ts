import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import { getApiVersion, listApiVersions } from '../representation/api-version.js';
import { API_VERSIONS, V2_VERSION, V3_VERSION } from '../representation/render-versions.js';

/** GET /: 300 Multiple Choices, the versions that there are. */
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
