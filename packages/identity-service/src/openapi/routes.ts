import { MEDIA_TYPES, requireAcceptable } from '@zonewright/http-api';
import type { Route } from '../http/route.js';
import { describeApi } from './describe-api.js';

/** The route that describes all routes, itself among them. OpenAPI knows JSON, but no XML. */
export function describeRoutes(routes: () => readonly Route[]): Route {
  return {
    id: 'describeApi',
    name: 'Describe the API',
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    handle: ({ settings: { extensionAliases } }, { baseUrl, headers }) => {
      requireAcceptable(headers.accept, [MEDIA_TYPES.json]);
      const document = describeApi(routes(), { baseUrl, extensionAliases });
      return { status: 200, body: { toJson: () => JSON.stringify(document) } };
    },
  };
}
