import {
  type ApiDescription,
  buildOpenApiDocument,
  MEDIA_TYPES,
  ref,
  requireAcceptable,
} from '@zonewright/http-api';
import { faultsOf } from '../schemas/faults.js';
import {
  answerContent,
  describeFaults,
  describeHeaders,
  describeSchemas,
  faultName,
  jsonContent,
  requestContent,
} from '../schemas/schemas.js';
import { pathsOf, type Route } from './route.js';

/** Returns the route that describes all routes, including itself. OpenAPI describes JSON but not XML. */
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

const API: Omit<ApiDescription<Route>, 'schemas' | 'responses'> = {
  title: 'Identity API',
  version: '2.0',
  description: 'Tokens, tenants, service catalog and user access keys.',
  token: {},
  parameter: { type: 'string' },
  headersOf: ({ headers = [] }) => headers.map((name) => ({ name, required: true })),
  requestOf: describeRequest,
  successOf: describeSuccess,
  faultsOf: (route) =>
    Object.fromEntries(
      faultsOf(route).map((status) => [
        status,
        // HEAD responses have no body.
        route.method === 'HEAD'
          ? { description: 'Error, as for GET' }
          : ref('responses', faultName(route.path, status)),
      ]),
    ),
};

interface Surroundings {
  readonly baseUrl: string;
  readonly extensionAliases: readonly string[];
}

/** Builds the OpenAPI description of the routes. Operations of an alias have its name as a suffix. */
export function describeApi(routes: readonly Route[], { baseUrl, extensionAliases }: Surroundings) {
  const all = routes.flatMap((route) =>
    pathsOf(route, extensionAliases).map((path, index) => {
      const alias = index === 0 ? '' : (extensionAliases[index - 1] ?? '');
      return { ...route, path, id: route.id + inPascalCase(alias) };
    }),
  );
  const api = { ...API, schemas: describeSchemas(), responses: describeFaults() };
  return buildOpenApiDocument(api, all, baseUrl);
}

/** Converts text to PascalCase, for example `HP-IDM` to HpIdm. */
function inPascalCase(text: string): string {
  return text
    .split(/\W+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}

function describeRequest({ reads, json }: Route) {
  if (json?.reads !== undefined) return jsonContent(json.reads);
  return reads === undefined ? undefined : requestContent(reads);
}

function describeSuccess({ id, answers, json, answersHeaders = [], status }: Route) {
  return {
    description: status === 300 ? 'Available versions' : 'Success',
    ...(answersHeaders.length === 0 ? {} : { headers: describeHeaders(answersHeaders) }),
    ...(answers === undefined ? {} : { content: answerContent(answers) }),
    ...(json?.answers === undefined ? {} : { content: jsonContent(json.answers) }),
    ...(id === 'describeApi'
      ? { content: { [MEDIA_TYPES.json]: { schema: { type: 'object' } } } }
      : {}),
  };
}
