// The parts of packages/client that follow from the OpenAPI documents: types of what is sent and answered, and the table of operations.
import openapiTypescript, { astToString } from 'openapi-typescript';

/** What the client speaks; the other faces have clients of their own (docs/reference/compatibility.md). */
const SPOKEN = {
  dns: /^\/v1(\/|$)/,
  identity: /^\/(v2\.0|v3\/(users|projects|roles|role_assignments|domains))(\/|$)/,
};

/** The files of packages/client/src/generated, by name. @param documents of both services */
export async function clientSources(documents) {
  const sources = {};
  const table = [];
  for (const [service, document] of Object.entries(documents)) {
    const spoken = pickSpoken(document, SPOKEN[service]);
    sources[`${service}.ts`] =
      `${HEAD}${astToString(await openapiTypescript(spoken, { defaultNonNullable: false, alphabetize: true }))}`;
    table.push(
      ...Object.entries(spoken.paths).flatMap(([path, methods]) => rowsOf(service, path, methods)),
    );
  }
  sources['operations.ts'] =
    `${HEAD}export const OPERATIONS = ${JSON.stringify(Object.fromEntries(table))} as const;`;
  return sources;
}

const HEAD = '// Written by `npm run reference`.\n';

function rowsOf(service, path, methods) {
  return Object.entries(methods).map(([method, { operationId, parameters = [] }]) => {
    const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
    return [operationId, { service, method: method.toUpperCase(), path, takesKey }];
  });
}

/** Successes in JSON or text, and the schemas that they need: errors all have one form, which src/errors.ts reads. */
function pickSpoken({ openapi, info, paths, components }, wanted) {
  const spoken = {};
  for (const [path, methods] of Object.entries(paths).filter(([each]) => wanted.test(each))) {
    spoken[path] = Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, pickOperation(operation)]),
    );
  }
  return {
    openapi,
    info,
    paths: spoken,
    components: { schemas: pickSchemas(spoken, components.schemas) },
  };
}

function pickOperation({ operationId, summary, parameters, requestBody, responses }) {
  const [status, { description, content }] = Object.entries(responses).find(([each]) => each < 400);
  return {
    operationId,
    summary,
    ...(parameters && { parameters }),
    ...(requestBody && {
      requestBody: { required: true, content: withoutXml(requestBody.content) },
    }),
    responses: { [status]: { description, ...(content && { content: withoutXml(content) }) } },
  };
}

function withoutXml(content) {
  return Object.fromEntries(
    Object.entries(content)
      .filter(([type]) => !type.endsWith('xml'))
      .map(([type, { schema }]) => [type, { schema }]),
  );
}

function pickSchemas(paths, schemas) {
  const picked = {};
  const pending = refsOf(paths);
  for (const name of pending) {
    if (name in picked) continue;
    picked[name] = schemas[name];
    pending.push(...refsOf(schemas[name]));
  }
  return Object.fromEntries(Object.entries(picked).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function refsOf(value) {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
}
