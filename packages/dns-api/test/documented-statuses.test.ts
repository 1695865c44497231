import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@zonewright/service-kit';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../src/http/operation.js';
import { DESCRIBED_OPERATIONS } from '../src/operations.js';
import { DECLINED_OPERATIONS } from '../src/v2/operations.js';
import { BROKEN_TOKEN, fakeTokens } from './support/fake-tokens.js';
import { createDomain, createRecord, readDomain } from './support/fixtures.js';
import { addServers, reportAll } from './support/nameserver-reports.js';
import { useApi } from './support/use-api.js';

const MAX_OCTETS = 1_024;
const DISABLED = 'token-disabled';
const AWAY = 'token-away';
const REFUSALS: Readonly<Record<string, ServiceError>> = {
  [DISABLED]: new ServiceError('forbidden', 'The user is disabled.'),
  [AWAY]: new ServiceError('unavailable', 'The identity service does not answer.'),
};

const api = useApi({
  env: {
    DNS_API_MAX_BODY_BYTES: String(MAX_OCTETS),
    DNS_API_MAX_IMPORT_BYTES: String(MAX_OCTETS),
  },
  overrides: {
    tokens: {
      ...fakeTokens,
      validate: (token, ...rest) => {
        const refusal = REFUSALS[token];
        return refusal === undefined
          ? fakeTokens.validate(token, ...rest)
          : Promise.reject(refusal);
      },
    },
  },
});

function call({ method, path }: Operation, token: string | undefined, query = '') {
  const filled = path.replace('{serial}', '1').replaceAll(/\{\w+\}/g, () => randomUUID());
  return api.callAs(token, method.toLowerCase() as Lowercase<typeof method>, filled + query);
}

const guarded = DESCRIBED_OPERATIONS.filter(({ access }) => access !== 'public');
const open = DESCRIBED_OPERATIONS.filter(({ access }) => access === 'public');
const withBody = guarded.filter(({ body }) => body !== 'none');

const reading = DESCRIBED_OPERATIONS.filter(({ method }) => method === 'GET');
const named = reading.filter(({ path }) => /\{(?!project_id)/.test(path));
const filtered = reading.filter(({ query = {} }) => Object.keys(query).length > 0);
/** The operations of v2 on an object with a UUID. */
const identified = DESCRIBED_OPERATIONS.filter(({ path }) =>
  /^\/v2\/.*\{(?!project_id)/.test(path),
);
/** The operations on objects that exist without preparation. */
const alone = reading.filter(
  ({ path, types }) => !/\{(?!project_id)/.test(path) && types === undefined,
);
/** Invalid values of parameters that accept almost any text. */
const WRONG: Readonly<Record<string, string>> = { limit: '0', marker: 'x' };

/** Returns a token whose user may call the operation. */
const tokenOf = ({ access }: Operation) => (access === 'tenant' ? 'token-a' : 'token-operator');

describe('DNS API s7: what may happen to each operation', () => {
  it.each(guarded)('$id: returns 401, 403, 406, 500 and 503', async (operation) => {
    const statuses = await Promise.all([
      call(operation, undefined),
      call(operation, DISABLED),
      call(operation, tokenOf(operation)).set('Accept', 'image/png'),
      call(operation, BROKEN_TOKEN),
      call(operation, AWAY),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 403, 406, 500, 503]);
  });

  it.each(open)('$id: returns 406', async (operation) => {
    const { status } = await call(operation, undefined).set('Accept', 'image/png');
    expect(status).toBe(406);
  });

  it.each(withBody)('$id: returns 415 and 413', async (operation) => {
    const large = 'x'.repeat(17 * MAX_OCTETS);
    const token = tokenOf(operation);
    const picture = await call(operation, token).set('Content-Type', 'image/png').send('x');
    const json = await call(operation, token).set('Content-Type', 'application/json').send(large);
    expect([picture.status, json.status]).toEqual([415, 413]);
  });

  it.each(named)('$id: returns 404', async (operation) => {
    expect((await call(operation, tokenOf(operation))).status).toBe(404);
  });

  it.each(filtered)('$id: returns 400', async (operation) => {
    const { query = {} } = operation;
    const values = Object.keys(query).map((name) => `${name}=${WRONG[name] ?? '%00'}`);
    const { status } = await call(operation, tokenOf(operation), `?${values.join('&')}`);
    expect(status).toBe(400);
  });

  it.each(identified)('$id: returns 400 for an id that is not a UUID', async (operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, 'foo');
    const method = operation.method.toLowerCase() as Lowercase<typeof operation.method>;
    const body = operation.body === 'none' ? undefined : {};
    const response = await api.callAs(tokenOf(operation), method, path, body);
    expect(response.body).toMatchObject({ code: 400, type: 'invalid_uuid' });
  });

  it.each(DECLINED_OPERATIONS)('$id: returns 400 and 412', async (operation) => {
    const unknown = await call(operation, 'token-a', '?unknown=1');
    const stale = await call(operation, 'token-a').set('If-Match', '"1"');
    expect([unknown.status, stale.status]).toEqual([400, 412]);
  });

  it.each(alone)('$id: returns 200', async (operation) => {
    const path = operation.path.replace('{project_id}', 'tenant-a');
    const what = operation.id === 'search' ? '?q=x' : '';
    const { status } = await api.callAs(tokenOf(operation), 'get', path + what);
    expect(status).toBe(operation.status ?? 200);
  });
});

describe('Where nothing has more than one', () => {
  const get = (path: string) => api.callAs('token-operator', 'get', path);

  it('getPool, getServiceStatus and getRecord return 200, and 304 for a known state', async () => {
    const { pools } = (await get('/v2/pools').expect(200)).body as { pools: { id: string }[] };
    await get(`/v2/pools/${pools[0]?.id ?? ''}`).expect(200);
    await addServers(api.db);
    await reportAll(api.db);
    const listed = await get('/v2/service_statuses').expect(200);
    const [first] = (listed.body as { service_statuses: { id: string }[] }).service_statuses;
    await get(`/v2/service_statuses/${first?.id ?? ''}`).expect(200);
    const zone = await createDomain(api);
    const { id } = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'A',
      data: '192.0.2.1',
    });
    const path = `/v1/domains/${zone.id}/records/${id}`;
    const { headers } = await api.call('get', path).expect(200);
    const again = await api.call('get', path).set('If-None-Match', headers['etag'] ?? '');
    expect(again.status).toBe(304);
  });

  it('restored and reverted objects count towards the quota, too', async () => {
    const zone = await createDomain(api);
    const path = `/v1/domains/${zone.id}`;
    const { id } = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'A',
      data: '192.0.2.1',
    });
    await api.call('delete', `${path}/records/${id}`).expect(200);
    const { serial } = await readDomain(api, zone.id);
    await api.db.raw(
      `insert into dns.quotas (tenant_id, max_domains, max_domain_records) values ('tenant-a', 0, 0)`,
    );
    const reverted = await api.call('post', `${path}/changes/${serial}/revert`);
    await api.call('delete', path).expect(200);
    const undeleted = await api.call('post', `${path}/undelete`);
    expect([reverted.status, undeleted.status]).toEqual([413, 413]);
  });
});
