import type { Context } from '../context.js';
import { notFound } from '@zonewright/accounts';
import { type ApiRequest, type ApiResponse, EXTENSION_SEGMENT } from '../http/route.js';
import {
  attribute,
  bareList,
  element,
  represent,
  type Resource,
  type Shape,
} from '@zonewright/http-api';
import { EXTENSION_NAMESPACE, V2_NAMESPACE } from '../representation/namespaces.js';
import { LINK } from './render-versions.js';

/** The vendor extension under one of its path segments. */
interface Extension {
  readonly alias: string;
  readonly selfUrl: string;
}

const EXTENSION: Shape<Extension> = [
  attribute('name', () => 'Identity Management Extension'),
  attribute('namespace', () => EXTENSION_NAMESPACE),
  attribute('alias', (extension) => extension.alias),
  attribute('updated', () => '2014-04-17T00:00:00Z'),
  element('description', () => 'User access keys, authentication with them, and revoking tokens.'),
  bareList('links', { name: 'link', shape: LINK }, (extension) => [
    { rel: 'self', href: extension.selfUrl },
  ]),
];

export const EXTENSIONS_RESOURCE: Resource<readonly Extension[]> = {
  root: 'extensions',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: [bareList('values', { name: 'extension', shape: EXTENSION }, (extensions) => extensions)],
};

export const EXTENSION_RESOURCE: Resource<Extension> = {
  root: 'extension',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: EXTENSION,
};

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
