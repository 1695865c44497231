import { REQUEST_ID_HEADER } from '@zonewright/service-kit';
import type { Content, Operation, Schema } from './operation.js';

type Named<T> = Readonly<Record<string, T>>;

export interface HeaderParameter {
  readonly name: string;
  readonly required: boolean;
}

/** Description of an API apart from its operations. */
export interface ApiDescription<O extends Operation> {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly token: { readonly description?: string };
  /** Default schema of path parameters. */
  readonly parameter: Schema;
  readonly schemas: Named<Schema>;
  /** Responses that operations refer to. Unused ones are omitted. */
  readonly responses: Named<object>;
  readonly headersOf: (operation: O) => readonly HeaderParameter[];
  readonly requestOf: (operation: O) => Content | undefined;
  readonly successOf: (operation: O) => object;
  readonly faultsOf: (operation: O) => Named<object>;
}

/** Builds the OpenAPI 3.1 description of a table of operations, with the bodies of requests and responses. */
export function buildOpenApiDocument<O extends Operation>(
  api: ApiDescription<O>,
  operations: readonly O[],
  baseUrl: string,
) {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(api, operation);
  }
  const { title, version, description, token, schemas, responses } = api;
  const used = JSON.stringify(paths);
  const isUsed = ([name]: [string, object]) =>
    used.includes(JSON.stringify(ref('responses', name)));
  const usedResponses = Object.entries(responses).filter(isUsed);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', ...token } },
      schemas,
      ...(usedResponses.length === 0
        ? {}
        : { responses: withRequestIds(Object.fromEntries(usedResponses)) }),
    },
  };
}

export function ref(kind: 'schemas' | 'responses', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

function describe<O extends Operation>(api: ApiDescription<O>, operation: O) {
  const { id, name, access, status = 200 } = operation;
  const parameters = describeParameters(api, operation);
  const content = api.requestOf(operation);
  return {
    operationId: id,
    summary: name,
    ...(access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined ? {} : { requestBody: { required: true, content } }),
    responses: withRequestIds({
      [status]: api.successOf(operation),
      ...api.faultsOf(operation),
    }),
  };
}

const REQUEST_ID = {
  [REQUEST_ID_HEADER]: {
    description: 'ID of the request in the log of the service.',
    schema: { type: 'string' },
  },
};

/** Adds the header to every response. A reference gets it from its target. */
function withRequestIds(responses: Named<object>): Named<object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { headers } = response as { readonly headers?: object };
      const isReference = '$ref' in response;
      return [
        status,
        isReference ? response : { ...response, headers: { ...REQUEST_ID, ...headers } },
      ];
    }),
  );
}

function describeParameters<O extends Operation>(api: ApiDescription<O>, operation: O) {
  const { path, params = {}, query = {} } = operation;
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: params[name] ?? api.parameter,
    })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
    ...api.headersOf(operation).map(({ name, required }) => ({
      name,
      in: 'header',
      ...(required ? { required } : {}),
      schema: { type: 'string' },
    })),
  ];
}
