import { describe, expect, it } from '@jest/globals';
import {
  type AccessJson,
  type Answer,
  at,
  call,
  childrenOf,
  FORMATS,
  parseXml,
  tokenOf,
} from './client.js';
import { useIdentity } from './use-identity.js';

const identity = useIdentity();

interface V3Token {
  readonly methods: readonly string[];
  readonly expires_at: string;
  readonly issued_at: string;
  readonly user: { readonly id: string; readonly name: string; readonly domain: unknown };
  readonly project?: { readonly id: string };
  readonly roles: readonly { readonly name: string }[];
  readonly catalog: readonly { readonly type: string; readonly endpoints: readonly object[] }[];
}

async function authenticate(auth: unknown, accept: 'json' | 'xml' = 'json'): Promise<Answer> {
  return await call(identity.url, {
    method: 'POST',
    path: '/v3/auth/tokens',
    accept,
    body: { auth },
  });
}

function tokenIn(answer: Answer): V3Token {
  return (answer.json as { token: V3Token }).token;
}

function passwordIdentity(user: object) {
  return { methods: ['password'], password: { user } };
}

async function subject(method: 'GET' | 'HEAD' | 'DELETE', id: string, token: string) {
  const headers = { 'X-Subject-Token': id };
  return await call(identity.url, { method, path: '/v3/auth/tokens', token, headers });
}

describe('v3 Authenticate', () => {
  it('D-ID-55: a password and a project give 201, X-Subject-Token and the token body', async () => {
    const { user, tenant, accountDomainId } = identity.world;
    const domain = { id: accountDomainId, name: `domain-${accountDomainId}` };
    const answer = await authenticate({
      identity: passwordIdentity({ id: user.id, password: user.password }),
      scope: { project: { id: tenant.id } },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-subject-token']).toMatch(/^[\w.-]+$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    const token = tokenIn(answer);
    expect(token).toMatchObject({
      methods: ['password'],
      user: { id: user.id, name: user.name, domain },
      project: { id: tenant.id, name: tenant.name, domain },
    });
    expect(token.roles.map(({ name }) => name)).toEqual(['member']);
    expect(Date.parse(token.expires_at) - Date.parse(token.issued_at)).toBe(12 * 3_600_000);
    const store = token.catalog.find(({ type }) => type === 'object-store');
    expect(store?.endpoints).toContainEqual({
      id: expect.any(String) as unknown,
      interface: 'public',
      region: 'US-West',
      region_id: 'US-West',
      url: `https://objects.example.net/v1/${tenant.id}`,
    });
  });

  it('D-ID: a user can be given by name alone, or by name and domain', async () => {
    const { user, accountDomainId } = identity.world;
    const { name, password } = user;
    const statusOf = async (domain: object | undefined) =>
      (await authenticate({ identity: passwordIdentity({ name, password, domain }) })).status;
    expect(await statusOf(undefined)).toBe(201);
    expect(await statusOf({ id: accountDomainId })).toBe(201);
    expect(await statusOf({ name: `domain-${accountDomainId}` })).toBe(201);
    expect(await statusOf({ id: 'other' })).toBe(401);
    expect(await statusOf({ name: 'other' })).toBe(401);
  });

  it('D-ID: a project can be given by name, with or without its domain', async () => {
    const { user, tenant, accountDomainId } = identity.world;
    const statusOf = async (project: object) =>
      (
        await authenticate({
          identity: passwordIdentity({ name: user.name, password: user.password }),
          scope: { project },
        })
      ).status;
    expect(await statusOf({ name: tenant.name })).toBe(201);
    expect(await statusOf({ name: tenant.name, domain: { id: accountDomainId } })).toBe(201);
    expect(await statusOf({ name: tenant.name, domain: { name: 'other' } })).toBe(401);
    expect(await statusOf({ id: 'unknown' })).toBe(401);
  });

  it('Identity s1: an access key pair gives a version 3 token', async () => {
    const { accessKey, user } = identity.world;
    const answer = await authenticate({ identity: { methods: ['accessKey'], accessKey } });
    expect(answer.status).toBe(201);
    expect(tokenIn(answer)).toMatchObject({
      methods: ['accessKey'],
      user: { id: user.id },
      roles: [],
    });
    expect(tokenIn(answer)).not.toHaveProperty('project');
  });

  it('D-ID-57: a rescope is a new token with the same expiry', async () => {
    const { user, tenant } = identity.world;
    const id = await tokenOf(identity.url, user);
    const before = tokenIn(await subject('GET', id, id));
    const answer = await authenticate({
      identity: { methods: ['token'], token: { id } },
      scope: { project: { id: tenant.id } },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-subject-token']).not.toBe(id);
    const derived = tokenIn(answer);
    expect(derived.expires_at).toBe(before.expires_at);
    expect(derived.project?.id).toBe(tenant.id);
    expect(tokenIn(await subject('GET', id, id))).not.toHaveProperty('project');
  });

  it('reads and writes XML', async () => {
    const { user, tenant } = identity.world;
    const answer = await call(identity.url, {
      method: 'POST',
      path: '/v3/auth/tokens',
      accept: 'xml',
      body: `<auth xmlns="http://docs.openstack.org/identity/api/v3">
               <identity><methods><method>password</method></methods>
                 <password><user name="${user.name}" password="${user.password}"/></password></identity>
               <scope><project id="${tenant.id}"/></scope></auth>`,
    });
    expect(answer.status).toBe(201);
    const root = await parseXml(answer.text);
    expect(root).toMatchObject({
      name: 'token',
      namespace: 'http://docs.openstack.org/identity/api/v3',
    });
    expect(at(root, 'methods', 'method')?.text).toBe('password');
    expect(at(root, 'user')?.attributes['id']).toBe(user.id);
    expect(at(root, 'project')?.attributes['id']).toBe(tenant.id);
    expect(childrenOf(at(root, 'catalog'), 'service').length).toBeGreaterThan(1);
  });

  it.each(FORMATS)('D-ID: errors have the form of version 3 (%s)', async (accept) => {
    const refused = await authenticate(
      { identity: passwordIdentity({ name: 'nobody', password: 'x' }) },
      accept,
    );
    const malformed = await authenticate({ identity: { methods: ['saml2'] } }, accept);
    expect([refused.status, malformed.status]).toEqual([401, 400]);
    if (accept === 'xml') {
      const root = await parseXml(refused.text);
      expect(root).toMatchObject({
        name: 'error',
        namespace: 'http://docs.openstack.org/identity/api/v3',
        attributes: { code: '401', title: 'unauthorized' },
      });
      expect(at(root, 'message')?.text).toBe('UNAUTHORIZED');
    } else {
      expect(refused.json).toEqual({
        error: {
          code: 401,
          title: 'unauthorized',
          message: 'UNAUTHORIZED',
          details: 'Invalid credentials',
          otherAttributes: {},
        },
      });
    }
  });

  it.each([
    [{}],
    [{ identity: {} }],
    [{ identity: { methods: [] } }],
    [{ identity: { methods: ['password', 'token'], password: {}, token: {} } }],
    [{ identity: { methods: ['password'] } }],
    [{ identity: passwordIdentity({ password: 'x' }) }],
    [{ identity: { methods: ['token'], token: { id: 'x' } }, scope: { project: {} } }],
  ])('D-ID-55: the malformed body %j gets 400', async (auth) => {
    expect((await authenticate(auth)).status).toBe(400);
  });
});

describe("Keystone's other scopes", () => {
  it.each(['domain', 'system', 'OS-TRUST:trust'])(
    '%s is refused, and the error names it',
    async (name) => {
      const { user } = identity.world;
      const scope = { [name]: name === 'system' ? { all: true } : { id: 'default' } };
      const owner = passwordIdentity({ name: user.name, password: user.password });
      const answer = await authenticate({ identity: owner, scope });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(`scope.${name} is not supported: specify a project`);
    },
  );
});

describe('v3 tokens', () => {
  it('Identity s9: v2 and v3 tokens validate on the other side', async () => {
    const { user, tenant } = identity.world;
    const v2 = await tokenOf(identity.url, user, tenant.id);
    const answer = await subject('GET', v2, v2);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-subject-token']).toBe(v2);
    expect(tokenIn(answer)).toMatchObject({ methods: ['password'], project: { id: tenant.id } });
    const identityBody = passwordIdentity({ name: user.name, password: user.password });
    const created = await authenticate({ identity: identityBody });
    const v3 = created.headers['x-subject-token'] ?? '';
    const validated = await call(identity.url, { path: `/v2.0/tokens/${v3}`, token: v3 });
    expect((validated.json as AccessJson).access.token).toMatchObject({
      id: v3,
      expires: tokenIn(created).expires_at,
    });
  });

  it('contract: dns-api asks with its own token about a caller', async () => {
    const { user, tenant, serviceUser } = identity.world;
    const id = await tokenOf(identity.url, user, tenant.id);
    const answer = await subject('GET', id, await tokenOf(identity.url, serviceUser));
    expect(answer.status).toBe(200);
    expect(tokenIn(answer).catalog.map(({ type }) => type)).toContain('ext:dns');
    expect((await subject('GET', id, 'bad')).status).toBe(401);
  });

  it('D-ID-58: HEAD returns 200 and DELETE 204, then both return 404', async () => {
    const { user, serviceUser } = identity.world;
    const token = await tokenOf(identity.url, serviceUser);
    const id = await tokenOf(identity.url, user);
    const head = await subject('HEAD', id, token);
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await subject('DELETE', id, id)).status).toBe(204);
    for (const method of ['GET', 'HEAD', 'DELETE'] as const) {
      expect((await subject(method, id, token)).status).toBe(404);
    }
  });

  it('D-ID: without X-Subject-Token the response is 400', async () => {
    const token = await tokenOf(identity.url, identity.world.user);
    const answer = await call(identity.url, { path: '/v3/auth/tokens', token });
    expect(answer.status).toBe(400);
  });
});

describe('v3 projects and catalog', () => {
  it('D-ID-60: GET /v3/auth/projects lists the tenants, in both formats', async () => {
    const { user, tenant, secondTenant, accountDomainId } = identity.world;
    const token = await tokenOf(identity.url, user);
    const path = '/v3/auth/projects';
    const { projects, links } = (await call(identity.url, { path, token })).json as {
      projects: Record<string, unknown>[];
      links: unknown;
    };
    const ids = [tenant.id, secondTenant.id].sort();
    expect(projects.map(({ id }) => id)).toEqual(ids);
    expect(projects[0]).toMatchObject({ domain_id: accountDomainId, enabled: true });
    expect(links).toEqual({ self: `${identity.url}/v3/auth/projects`, previous: null, next: null });
    const xml = await parseXml((await call(identity.url, { path, token, accept: 'xml' })).text);
    expect(childrenOf(xml, 'project').map(({ attributes }) => attributes['id'])).toEqual(ids);
  });

  it('openstackclient lists the projects of a user', async () => {
    const { user, administrator } = identity.world;
    const path = `/v3/users/${user.id}/projects`;
    for (const who of [user, administrator]) {
      const answer = await call(identity.url, { path, token: await tokenOf(identity.url, who) });
      expect((answer.json as { projects: unknown[] }).projects).toHaveLength(2);
    }
  });

  it('D-ID: GET /v3/auth/catalog returns the catalog of the token, in both formats', async () => {
    const { user, tenant } = identity.world;
    const token = await tokenOf(identity.url, user, tenant.id);
    const path = '/v3/auth/catalog';
    const { catalog } = (await call(identity.url, { path, token })).json as Pick<
      V3Token,
      'catalog'
    >;
    expect(catalog.map(({ type }) => type)).toContain('object-store');
    const xml = await parseXml((await call(identity.url, { path, token, accept: 'xml' })).text);
    expect(childrenOf(xml, 'service')).toHaveLength(catalog.length);
  });
});
