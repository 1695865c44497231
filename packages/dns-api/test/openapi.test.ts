import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describeApi } from '../src/openapi/describe-api.js';
import { EXAMPLES } from '../src/openapi/examples.js';
import { SCHEMAS } from '../src/openapi/schemas.js';
import { DESCRIBED_OPERATIONS } from '../src/operations.js';
import { createDomain, createRecord } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

/** Returns every `$ref` of a document. */
function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' ? [String(member)] : refsOf(member),
  );
}

const propertiesOf = (schema: string) =>
  Object.keys((SCHEMAS[schema] as { properties: object }).properties).sort();

const requiredOf = (schema: string) =>
  [...(SCHEMAS[schema] as { required: string[] }).required].sort();

const described = JSON.parse(
  JSON.stringify(describeApi(DESCRIBED_OPERATIONS, 'http://dns.example.net')),
) as {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: { name: string; in: string; schema?: object }[];
        responses: Record<string, { headers?: Record<string, object> }>;
      }
    >
  >;
};
const operationsDescribed = Object.values(described.paths).flatMap((path) => Object.entries(path));

describe('OpenAPI description', () => {
  it('is served at /openapi.json without a token', async () => {
    const response = await api.callAs(undefined, 'get', '/openapi.json');
    expect(response.status).toBe(200);
    expect(response.body).toEqual(
      JSON.parse(JSON.stringify(describeApi(DESCRIBED_OPERATIONS, api.url))),
    );
  });

  it('is valid by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const document = describeApi(DESCRIBED_OPERATIONS, 'http://dns.example.net');
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('describes exactly the operations of the table', () => {
    const inDocument = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
    );
    expect(inDocument.toSorted()).toEqual(
      DESCRIBED_OPERATIONS.map(({ id, method, path }) => [
        id,
        method.toLowerCase(),
        path,
      ]).toSorted(),
    );
  });

  it('gives each operation a unique id that is a valid name in any language', () => {
    const ids = operationsDescribed.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z0-9]+$/);
  });

  it.each(Object.entries(EXAMPLES))('the example of %s is valid', (name, example) => {
    const known = propertiesOf(name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(example)));
    expect(Object.keys(example)).toEqual(expect.arrayContaining(requiredOf(name)));
  });

  it('names only existing schemas, and each of them', () => {
    const document = describeApi(DESCRIBED_OPERATIONS, 'http://dns.example.net');
    const named = new Set(refsOf(document));
    expect([...named].sort()).toEqual(
      Object.keys(SCHEMAS)
        .map((name) => `#/components/schemas/${name}`)
        .sort(),
    );
  });

  it('gives domains and records their actual members', async () => {
    const domain = await createDomain(api);
    const record = await createRecord(api, domain.id, {
      name: domain.name,
      type: 'A',
      data: '192.0.2.1',
    });
    expect(propertiesOf('Domain')).toEqual(Object.keys(domain).sort());
    const all = await api.call(
      'get',
      `/v1/domains/${domain.id}/records/${record.id}?extended=true`,
    );
    expect(propertiesOf('Record')).toEqual(Object.keys(all.body as object).sort());
    expect(requiredOf('Record').toSorted()).toEqual(Object.keys(record).sort());
    const listed = await api.call('get', `/v1/domains/${domain.id}/records`);
    const [first = {}] = (listed.body as { records: object[] }).records;
    const ofLists = ['tenant_id', 'version'];
    expect([...requiredOf('ListedRecord'), ...ofLists].sort()).toEqual(Object.keys(first).sort());
  });

  it('gives errors their actual members', async () => {
    const response = await api.call('post', '/v1/domains', {});
    expect(propertiesOf('Error')).toEqual(Object.keys(response.body as object).sort());
  });

  it('D-REQ: every write has dry_run, and each parameter has a schema', () => {
    for (const [method, { operationId, parameters = [] }] of operationsDescribed) {
      const inQuery = parameters.filter((each) => each.in === 'query');
      const names = inQuery.map(({ name }) => name);
      const isWrite = method !== 'get' && !/^(readImportFile|checkNewRecords)$/.test(operationId);
      expect([operationId, names.includes('dry_run')]).toEqual([operationId, isWrite]);
      for (const { name, schema } of inQuery) {
        expect([operationId, name, typeof schema]).toEqual([operationId, name, 'object']);
      }
    }
  });

  it('has the headers of the responses to writes', async () => {
    const domain = await createDomain(api);
    const path = `/v1/domains/${domain.id}/records`;
    const response = await api.call('post', path, {
      name: domain.name,
      type: 'A',
      data: '192.0.2.1',
    });
    const headers =
      described.paths['/v1/domains/{domainId}/records']?.['post']?.responses['200']?.headers;
    for (const name of ['ETag', 'Location', 'X-Zonewright-Serial']) {
      expect(headers).toHaveProperty(name);
      expect(response.headers).toHaveProperty(name.toLowerCase());
    }
  });
});

describe('CORS (DNS_API_CORS_ORIGINS)', () => {
  const browser = useApi({ env: { DNS_API_CORS_ORIGINS: 'https://console.example.net' } });

  it('lets scripts read every described header', async () => {
    const response = await browser
      .call('get', '/v1/limits')
      .set('Origin', 'https://console.example.net');
    const exposed = String(response.headers['access-control-expose-headers']).toLowerCase();
    const names = operationsDescribed.flatMap(([, { responses }]) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    );
    expect(new Set(names).size).toBeGreaterThan(6);
    for (const name of new Set([...names, 'Content-Disposition'])) {
      expect(exposed.split(', ')).toContain(name.toLowerCase());
    }
  });
});
