import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assignRole, newId } from '@zonewright/testkit';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ROUTES } from '../src/routes.js';
import { faultsOf, readsBody } from '../src/schemas/faults.js';
import type { Route } from '../src/http/route.js';
import { administrationBody, insertOperator } from './administration-calls.js';
import { type Call, call, tokenOf } from './client.js';
import { type RunningIdentity, startIdentity, useIdentity } from './use-identity.js';

const LIMITED = ROUTES.filter(({ limit }) => limit !== undefined);
const WITH_BODY = ROUTES.filter(readsBody);
const NAMES_THINGS = ROUTES.filter(
  (route) => route.path.includes('{') && faultsOf(route).includes(404),
);
const WITH_HEADERS = ROUTES.filter(({ headers }) => headers !== undefined);
const LOW = Object.fromEntries(
  'AUTHENTICATE RESCOPE REVOKE LIST_TENANTS LEGACY_AUTHENTICATION CREATE_ACCESS_KEY DELETE_ACCESS_KEY GET_ACCESS_KEYS GET_ACCESS_KEY IMPORT_ACCESS_KEYS UPDATE_ACCESS_KEY ADMINISTER'
    .split(' ')
    .map((name) => [`RATE_LIMIT_${name}`, '1']),
);

const identity = useIdentity();
let impatient: RunningIdentity;
let strict: RunningIdentity;
/** The token of a user who may do everything except the operations for services. */
let token = '';
let serviceToken = '';
let ownId = '';

beforeAll(async () => {
  const { databaseUrl } = identity;
  impatient = await startIdentity(databaseUrl, { env: { IDENTITY_REQUEST_TIMEOUT_SECONDS: '1' } });
  strict = await startIdentity(databaseUrl, { env: { ...LOW, RATE_LIMITS: 'true' } });
  const operator = await insertOperator(identity);
  const { roleIds, tenant } = identity.world;
  await assignRole(identity.db, {
    userId: operator.id,
    roleId: roleIds.member,
    tenantId: tenant.id,
  });
  token = await tokenOf(identity.url, operator, tenant.id);
  serviceToken = await tokenOf(identity.url, identity.world.serviceUser);
  ownId = operator.id;
});
afterAll(async () => {
  await impatient.stop();
  await strict.stop();
});

/** Returns a request about objects that do not exist. */
function requestOf({ method, path }: Route): Call {
  const own = path.includes('application_credentials') ? path.replace('{userId}', ownId) : path;
  return {
    method,
    path: own.replaceAll(/\{\w+\}/g, () => newId()),
    token: path.startsWith('/v3/internal/') ? serviceToken : token,
  };
}

describe('Identity s7: what may happen to each operation', () => {
  it.each(ROUTES)('$id: returns 406', async (route) => {
    const { status } = await call(identity.url, {
      ...requestOf(route),
      headers: { Accept: 'image/png' },
    });
    expect(status).toBe(406);
  });

  it.each(WITH_BODY)('$id: returns 415, 413 and 400', async (route) => {
    const post = (type: string, body: string) =>
      call(identity.url, { ...requestOf(route), body, headers: { 'Content-Type': type } });
    const length = route.json?.hasMessages === 'transfer' ? 5_000_000 : 1_000_000;
    const large = JSON.stringify('x'.repeat(length));
    const answers = [
      await post('image/png', 'x'),
      await post('application/json', large),
      await post('application/json', '[]'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 413, 400]);
  });

  it.each(NAMES_THINGS)('$id: returns 404', async (route) => {
    const { method, path } = route;
    const status = { accessKey: { status: 'active' } };
    const body = path.endsWith('{accesskeyId}') ? status : administrationBody(method, path);
    const answer = await call(identity.url, { ...requestOf(route), body });
    expect(answer.status).toBe(404);
  });

  it.each(WITH_HEADERS)('$id: returns 400 without its headers', async (route) => {
    expect((await call(identity.url, requestOf(route))).status).toBe(400);
  });

  it.each(ROUTES.filter(({ headers }) => headers?.includes('X-Auth-Key')))(
    '$id: returns 401',
    async (route) => {
      const headers = { 'X-Auth-User': 'nobody', 'X-Auth-Key': 'x' };
      expect((await call(identity.url, { ...requestOf(route), headers })).status).toBe(401);
    },
  );

  it.each(ROUTES.filter(({ path, query = {} }) => path.startsWith('/v3/') && 'limit' in query))(
    '$id: returns 400',
    async (route) => {
      const { path, ...request } = requestOf(route);
      expect((await call(identity.url, { ...request, path: `${path}?limit=x` })).status).toBe(400);
    },
  );

  it.each(['project', 'user', 'role'])('returns 409 for the name of another %s', async (kind) => {
    const { accountDomainId: domain_id } = identity.world;
    const path = `/v3/${kind}s`;
    const name = newId();
    const of = kind === 'role' ? {} : { domain_id };
    const create = (named: string) =>
      call(identity.url, { method: 'POST', path, token, body: { [kind]: { name: named, ...of } } });
    const first = await create(name);
    const again = await create(name);
    const other = (await create(newId())).json as Record<string, { id: string }>;
    const renamed = await call(identity.url, {
      method: 'PATCH',
      path: `${path}/${other[kind]?.id ?? ''}`,
      token,
      body: { [kind]: { name } },
    });
    expect([first.status, again.status, renamed.status]).toEqual([201, 409, 409]);
  });

  it.each(LIMITED)('$id: returns 429', async (route) => {
    const request = { ...requestOf(route), ...(route.access === 'public' ? { body: {} } : {}) };
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(strict.url, request)));
    expect(answers.map(({ status }) => status)).toContain(429);
  });

  it('returns 408 for bodies that do not arrive, for every operation that reads one', async () => {
    const { hostname, port } = new URL(impatient.url);
    const answers = await Promise.all(
      WITH_BODY.map(async (route) => {
        const { method, path, token: sent } = requestOf(route);
        const socket = connect(Number(port), hostname);
        socket.write(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${sent}\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
        );
        const [head] = (await once(socket, 'data')) as [Buffer];
        socket.destroy();
        return `${route.id} ${head.toString().slice(9, 12)}`;
      }),
    );
    expect(answers).toEqual(WITH_BODY.map(({ id }) => `${id} 408`));
  });
});
