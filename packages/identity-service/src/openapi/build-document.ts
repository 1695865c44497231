import { MEDIA_TYPES } from '../http/negotiation.js';
import type { Route } from '../http/route.js';
import { pathsOf } from '../http/route-paths.js';
import { faultsOf } from './faults.js';
import { OPERATION_DOCS, type OperationDoc } from './operation-docs.js';
import {
  answerContent,
  describeHeaders,
  FAULT_RESPONSES,
  faultName,
  ref,
  requestContent,
  SCHEMAS,
} from './schemas.js';

interface Surroundings {
  readonly baseUrl: string;
  readonly extensionAliases: readonly string[];
}

/** The OpenAPI 3.1 description of the routes: their table, with the bodies that they read and answer. */
export function buildOpenApiDocument(
  routes: readonly Route[],
  { baseUrl, extensionAliases }: Surroundings,
) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    for (const path of pathsOf(route, extensionAliases)) {
      (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation({ ...route, path });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Identity API',
      version: '2.0',
      description: 'Tokens, tenants, service catalog and user access keys.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } },
      schemas: SCHEMAS,
      responses: faultsIn(paths),
    },
  };
}

/** The errors that operations refer to. */
function faultsIn(paths: object) {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(FAULT_RESPONSES).filter(([name]) =>
      text.includes(JSON.stringify(ref('responses', name))),
    ),
  );
}

function describeOperation(route: Route) {
  const { operation, method, path, access } = route;
  const doc = OPERATION_DOCS[operation];
  if (doc === undefined) throw new Error(`${operation} has no description`);
  const parameters = describeParameters(path, doc);
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`,
    summary: operation,
    ...(access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(doc.reads === undefined
      ? {}
      : { requestBody: { required: true, content: requestContent(doc.reads) } }),
    responses: { [doc.status]: describeSuccess(doc), ...describeFaults(route, doc) },
  };
}

function describeParameters(path: string, { query = {}, headers = [] }: OperationDoc) {
  const schema = { type: 'string' };
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema,
    })),
    ...Object.entries(query).map(([name, of]) => ({ name, in: 'query', schema: of })),
    ...headers.map((name) => ({ name, in: 'header', required: true, schema })),
  ];
}

function describeSuccess({ answers, answersJson, answersHeaders = [], status }: OperationDoc) {
  return {
    description: status === 300 ? 'The versions to choose from' : 'Success',
    ...(answersHeaders.length === 0 ? {} : { headers: describeHeaders(answersHeaders) }),
    ...(answers === undefined ? {} : { content: answerContent(answers) }),
    ...(answersJson === undefined
      ? {}
      : { content: { [MEDIA_TYPES.json]: { schema: answersJson } } }),
  };
}

function describeFaults(route: Route, doc: OperationDoc) {
  return Object.fromEntries(
    faultsOf(route, doc).map((status) => [
      status,
      // HEAD has no bodies.
      route.method === 'HEAD'
        ? { description: 'Refused as GET is' }
        : ref('responses', faultName(route.path, status)),
    ]),
  );
}
