import { beforeAll, describe, expect, it } from '@jest/globals';
import { describeXml, inferJsonSchema } from '@zonewright/http-api';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describeApi } from '../src/http/openapi.js';
import { describeSchemas } from '../src/schemas/schemas.js';
import { ROUTES } from '../src/routes.js';
import { soundAdministration } from './administration-calls.js';
import { type Answer, type Call, call, type Format, FORMATS, tokenOf } from './client.js';
import { soundCall } from './sound-call.js';
import { useIdentity } from './use-identity.js';

const ALIAS = 'HP-IDM';
const identity = useIdentity({ env: { EXTENSION_ALIASES: ALIAS } });

type Method = NonNullable<Call['method']>;
type Content = Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

let document: Document;
let token = '';

beforeAll(async () => {
  const { url, world } = identity;
  document = (await call(url, { path: '/openapi.json' })).json as Document;
  token = await tokenOf(url, world.user, world.tenant.id);
});

const JSON_ALONE = ['application/json'];
const BOTH = [...JSON_ALONE, 'application/xml'];

function isAdministration(id: string): boolean {
  return ROUTES.find((route) => route.id === id)?.json !== undefined;
}

function operations() {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Returns every `$ref` of a document. */
function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' ? [String(member)] : refsOf(member),
  );
}

function responseOf({ operation }: { readonly operation: Operation }, status: number) {
  const response = operation.responses[status];
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : document.components.responses[name];
}

describe('OpenAPI description', () => {
  it('is served at /openapi.json without a token, as JSON to every client that accepts it', async () => {
    const expected = describeApi(ROUTES, {
      baseUrl: identity.url,
      extensionAliases: [ALIAS],
    });
    expect(document).toEqual(JSON.parse(JSON.stringify(expected)));
    const accept = 'text/html, application/xml;q=0.9, */*;q=0.8';
    const browser = { path: '/openapi.json', headers: { Accept: accept } };
    const answer = await call(identity.url, browser);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const xml = await call(identity.url, { path: '/openapi.json', accept: 'xml' });
    expect(xml.status).toBe(406);
  });

  it('describes every route of the table under each alias, and nothing else', () => {
    const expected = ROUTES.flatMap(({ method, path }) =>
      [...new Set([path, path.replace('EXT-IDM', ALIAS)])].map((one) => `${method} ${one}`),
    );
    const described = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual(expected.sort());
  });

  it('is valid by the schema of OpenAPI 3.1, and every reference can be resolved', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const schemaRefs = refsOf(document).filter((ref) => ref.startsWith('#/components/schemas/'));
    expect([...new Set(schemaRefs)].sort()).toEqual(
      Object.keys(describeSchemas())
        .map((name) => `#/components/schemas/${name}`)
        .sort(),
    );
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z0-9]+$/);
  });

  it('Identity s1: describes every body in JSON and in XML, except for the administration', () => {
    for (const one of operations()) {
      if (one.path === '/openapi.json') continue;
      const { operation } = one;
      const responses = Object.keys(operation.responses).map((status) =>
        responseOf(one, Number(status)),
      );
      for (const content of [operation.requestBody, ...responses].map((body) => body?.content)) {
        if (content === undefined) continue;
        const isError = JSON.stringify(content).includes('"title"');
        const types = isAdministration(operation.operationId) && !isError ? JSON_ALONE : BOTH;
        expect([operation.operationId, Object.keys(content)]).toEqual([
          operation.operationId,
          types,
        ]);
      }
    }
  });

  it('has a response for every status that it names', () => {
    for (const one of operations()) {
      for (const status of Object.keys(one.operation.responses)) {
        const where = [one.method, one.path, status];
        expect([...where, responseOf(one, Number(status))?.description]).toEqual([
          ...where,
          expect.stringMatching(/./),
        ]);
      }
    }
  });
});

/** Returns the names of the members at every level, as `a.b`. */
function membersOf(schema: unknown, prefix = ''): string[] {
  const { properties = {}, items } = schema as { properties?: object; items?: unknown };
  const inner = items === undefined ? [] : membersOf(items, prefix);
  const own = Object.entries(properties).flatMap(([name, member]) => [
    prefix + name,
    ...membersOf(member, `${prefix}${name}.`),
  ]);
  return [...own, ...inner];
}

/** Returns the members of a response and those of its described schema. */
function compare(answer: Answer, accept: Format, content: Content) {
  const type = `application/${accept}`;
  const name = content[type]?.schema.$ref.split('/').at(-1) ?? '';
  const shown = accept === 'xml' ? describeXml([answer.text]) : inferJsonSchema([answer.json]);
  return { shown, described: describeSchemas()[name] ?? {} };
}

describe('What is described is what is answered', () => {
  it.each(FORMATS)(
    'each operation returns its status and no undescribed members (%s)',
    async (accept) => {
      for (const one of operations()) {
        if (one.path === '/openapi.json') continue;
        const isJsonAlone = isAdministration(one.operation.operationId);
        if (isJsonAlone && accept === 'xml') continue;
        const method = one.method.toUpperCase() as Method;
        const sent = isJsonAlone
          ? await soundAdministration(identity, method, one.path)
          : await soundCall({ identity, token, alias: ALIAS }, method, one.path);
        const answer = await call(identity.url, { ...sent, accept });
        const where = `${one.method} ${one.path}`;
        const success = Object.keys(one.operation.responses).find((status) => status < '400');
        expect([where, answer.status]).toEqual([where, Number(success)]);
        const content = responseOf(one, answer.status)?.content;
        expect([where, answer.text !== '']).toEqual([where, content !== undefined]);
        if (content === undefined) continue;
        const { shown, described } = compare(answer, accept, content);
        const known = new Set(membersOf(described));
        const unknown = membersOf(shown).filter((member) => !known.has(member));
        expect([where, shown['xml'], unknown]).toEqual([where, described['xml'], []]);
        expect(Object.keys(shown['properties'] as object)).toEqual(
          expect.arrayContaining(described['required'] as string[]),
        );
      }
    },
  );
});
