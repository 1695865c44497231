import Negotiator from 'negotiator';
import { HttpError } from '../http/http-error.js';
import { MEDIA_TYPES } from '../http/negotiation.js';
import type { Route } from '../http/route.js';
import { buildOpenApiDocument } from './build-document.js';

/** The route that describes all routes, itself among them. OpenAPI knows JSON, but no XML. */
export function describeRoutes(routes: () => readonly Route[]): Route {
  return {
    operation: 'Describe the API',
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    handle: ({ settings: { extensionAliases } }, { baseUrl, headers }) => {
      if (new Negotiator({ headers }).mediaType([MEDIA_TYPES.json]) === undefined) {
        throw new HttpError(406, `Accept must allow ${MEDIA_TYPES.json}`);
      }
      const document = buildOpenApiDocument(routes(), { baseUrl, extensionAliases });
      return { status: 200, body: { toJson: () => JSON.stringify(document) } };
    },
  };
}
