import type { Context } from '../context/context.js';
import { notFound } from '@zonewright/accounts';
import { type ApiRequest, type ApiResponse, EXTENSION_SEGMENT } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import {
  type Extension,
  EXTENSION_RESOURCE,
  EXTENSIONS_RESOURCE,
} from '../representation/render-extensions.js';

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
