import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { AccessKeysClient } from './access-keys-client.js';
import { type Call, call, tokenOf } from './client.js';
import { ROUTES } from '../src/routes.js';
import { isAudited } from '../src/http/route.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilReady,
} from './use-identity.js';

const identity = useIdentity();
const lines: string[] = [];
let service: RunningIdentity;
let token: string;

beforeAll(async () => {
  const log = createLogger('identity-service', 'info', { write: (line) => void lines.push(line) });
  service = await startIdentity(identity.databaseUrl, { log });
  await waitUntilReady(service);
  token = await tokenOf(service.url, identity.world.user, identity.world.tenant.id);
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(() => service.stop());

const auditLines = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'audit');

async function auditOf(request: Call): Promise<Record<string, unknown>> {
  const { headers } = await call(service.url, request);
  const [line = {}, ...more] = auditLines();
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    source: '127.0.0.1',
    requestId: headers['x-openstack-request-id'],
  });
  return line;
}

const passwordBody = (username: string, password: string) => ({
  auth: { passwordCredentials: { username, password }, tenantId: identity.world.tenant.id },
});
const v3Body = (name: string, password: string) => ({
  auth: { identity: { methods: ['password'], password: { user: { name, password } } } },
});

describe('Audit log: log-ins', () => {
  it.each(['right', 'wrong'])(
    'v2.0, v3 and legacy log-ins with the %s password are audited',
    async (kind) => {
      const { user, tenant } = identity.world;
      const password = kind === 'right' ? user.password : 'hunter2-wrong';
      const outcome = kind === 'right' ? 'success' : 'failure';
      const who = { method: 'password', account: `name ${user.name}` };
      const known = kind === 'right' ? { userId: user.id } : {};
      const v2 = await auditOf({
        method: 'POST',
        path: '/v2.0/tokens',
        body: passwordBody(user.name, password),
      });
      const tenantId = kind === 'right' ? { tenantId: tenant.id } : {};
      const event = 'Authenticate, Rescope Token';
      expect(v2).toMatchObject({ event, outcome, ...who, ...known, ...tenantId });
      lines.length = 0;
      const v3 = await auditOf({
        method: 'POST',
        path: '/v3/auth/tokens',
        body: v3Body(user.name, password),
      });
      expect(v3).toMatchObject({ outcome, ...who, ...known });
      lines.length = 0;
      const legacy = await auditOf({
        path: '/auth/v1.0',
        headers: { 'x-auth-user': user.name, 'x-auth-key': password },
      });
      expect(legacy).toMatchObject({ event: 'Legacy Authentication', outcome, ...who, ...known });
    },
  );

  it('log-ins by access key, of unknown users, and without valid content are audited', async () => {
    const { accessKey } = identity.world;
    const apiAccessKeyCredentials = {
      accessKey: accessKey.accessKey,
      secretKey: accessKey.secretKey,
    };
    const login = (auth: object) =>
      auditOf({ method: 'POST', path: '/v2.0/tokens', body: { auth } });
    expect(await login({ apiAccessKeyCredentials })).toMatchObject({
      outcome: 'success',
      method: 'accessKey',
      account: `key ${accessKey.accessKey}`,
      userId: identity.world.user.id,
    });
    lines.length = 0;
    const unknown = { passwordCredentials: { username: 'nobody', password: 'hunter2' } };
    expect(await login(unknown)).toMatchObject({ outcome: 'failure', account: 'name nobody' });
    lines.length = 0;
    expect(await login({})).toMatchObject({ outcome: 'failure', status: 400 });
  });
});

describe('Audit log: changes', () => {
  it('revoking a token names it by its jti', async () => {
    const mine = await tokenOf(service.url, identity.world.user);
    lines.length = 0;
    const line = await auditOf({ method: 'DELETE', path: `/v2.0/tokens/${mine}`, token });
    expect(line).toMatchObject({
      event: 'Revoke Token (core path)',
      outcome: 'success',
      userId: identity.world.user.id,
      ownerId: identity.world.user.id,
      jti: expect.any(String),
    });
    lines.length = 0;
    const again = await auditOf({ method: 'DELETE', path: `/v2.0/tokens/${mine}`, token });
    expect(again).toMatchObject({ outcome: 'failure', status: 404 });
  });

  it('each change of access keys has a line', async () => {
    const keys = new AccessKeysClient(service.url, token);
    await keys.create();
    const [created] = auditLines();
    expect(created).toMatchObject({
      event: 'Create User Access Key',
      outcome: 'success',
      userId: identity.world.user.id,
      ownerId: identity.world.user.id,
      accessKeyId: expect.stringMatching(/^[A-Z0-9]{20}$/),
    });
  });

  it('the administration logs the caller, the object, and whether its password was changed', async () => {
    const { administrator, tenant, user, roleIds } = identity.world;
    const by = await tokenOf(service.url, administrator);
    lines.length = 0;
    const password = 'hunter2-of-the-new-one';
    const created = await auditOf({
      method: 'POST',
      path: '/v3/users',
      token: by,
      body: { user: { name: 'audited', password } },
    });
    expect(created).toMatchObject({
      event: 'v3 Create User',
      outcome: 'success',
      userId: administrator.id,
      id: expect.any(String),
    });
    const id = String(created['id']);
    lines.length = 0;
    const changed = await auditOf({
      method: 'PATCH',
      path: `/v3/users/${id}`,
      token: by,
      body: { user: { password: `${password}-2` } },
    });
    expect(changed).toMatchObject({ event: 'v3 Update User', id, changed: ['password'] });
    expect(lines.join('')).not.toContain(password);
    lines.length = 0;
    const granted = await auditOf({
      method: 'PUT',
      path: `/v3/projects/${tenant.id}/users/${user.id}/roles/${roleIds.service}`,
      token: by,
    });
    expect(granted).toMatchObject({
      event: 'v3 Grant Role to a User on a Project',
      outcome: 'failure',
      status: 403,
      grantedTo: user.id,
      roleId: roleIds.service,
      grantedOn: tenant.id,
    });
  });

  it('every operation that changes something or gives a token is audited', () => {
    const silent = ROUTES.filter((route) => !isAudited(route));
    expect(silent.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
    expect(silent.filter(({ name }) => /Authenticat/.test(name))).toEqual([]);
  });

  it('no line contains a password, a token or a secret key', async () => {
    const { user, accessKey } = identity.world;
    const mine = await tokenOf(service.url, user);
    await call(service.url, { method: 'DELETE', path: `/v2.0/tokens/${mine}`, token });
    await call(service.url, {
      method: 'POST',
      path: '/v2.0/tokens',
      body: passwordBody(user.name, 'hunter2-wrong'),
    });
    expect(auditLines().length).toBeGreaterThan(2);
    for (const secret of [user.password, 'hunter2-wrong', mine, token, accessKey.secretKey]) {
      expect(lines.join('')).not.toContain(secret);
    }
  });
});
