import { describe, expect, it } from '@jest/globals';
import {
  assignRole,
  insertAccessKey,
  insertAccountDomain,
  insertRole,
  insertTenant,
  insertUser,
} from '@zonewright/testkit';
import {
  type AccessJson,
  at,
  call,
  childrenOf,
  faultOf,
  FORMATS,
  login,
  parseXml,
} from './client.js';
import { keyring, useIdentity } from './use-identity.js';

const identity = useIdentity();
const TWELVE_HOURS_MS = 12 * 60 * 60 * 1000;

async function authenticate(auth: unknown, accept: 'json' | 'xml' = 'json') {
  return await call(identity.url, { method: 'POST', path: '/v2.0/tokens', accept, body: { auth } });
}

async function authenticateXml(body: string, accept: 'json' | 'xml' = 'xml') {
  return await call(identity.url, { method: 'POST', path: '/v2.0/tokens', accept, body });
}

function passwordOf({ name, password } = identity.world.user) {
  return { username: name, password };
}

function access(answer: { json: unknown }) {
  return (answer.json as AccessJson).access;
}

describe('Authenticate, JSON', () => {
  it('Identity s4: a password gives an unscoped token without tenant-specific services', async () => {
    const before = Date.now();
    const answer = await authenticate({ passwordCredentials: passwordOf() });
    expect(answer.status).toBe(200);
    const { token, user, serviceCatalog } = access(answer);
    expect(token.tenant).toBeUndefined();
    expect(user).toEqual({
      id: identity.world.user.id,
      name: identity.world.user.name,
      otherAttributes: { domainStatus: 'enabled' },
      roles: [],
    });
    expect(serviceCatalog.map((service) => service.type)).toEqual(['identity']);
    const expires = Date.parse(token.expires);
    expect(expires - before).toBeGreaterThanOrEqual(TWELVE_HOURS_MS);
    expect(expires).toBeLessThanOrEqual(Date.now() + TWELVE_HOURS_MS);
    expect(token.expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('a token id stays below 300 bytes', async () => {
    const { tenant } = identity.world;
    const answer = await authenticate({ passwordCredentials: passwordOf(), tenantId: tenant.id });
    expect(access(answer).token.id.length).toBeLessThan(300);
  });

  it.each([
    ['64 hex digits', '0123456789abcdef'.repeat(4), 'fedcba9876543210'.repeat(4), 299],
    ['14 decimal digits', '72020596871800', '30744378952176', 299],
    ['40 characters together', 'a.user.of.another.one', 'tenant-of-another-1', 299],
    ['64 characters that are no hex digits', 'x'.repeat(64), 'y'.repeat(64), 354],
  ])('with ids of %s, too, or of the documented length', async (_what, id, tenantId, most) => {
    const { accountDomainId, roleIds } = identity.world;
    const user = await insertUser(identity.db, { accountDomainId, id });
    await insertTenant(identity.db, { accountDomainId, id: tenantId });
    await assignRole(identity.db, { userId: id, roleId: roleIds.member, tenantId });
    const { token } = await login(identity.url, { user, tenantId });
    expect(token.id.length).toBeLessThanOrEqual(most);
    const answer = await call(identity.url, {
      path: `/v2.0/tokens/${token.id}`,
      token: token.id,
    });
    expect(access(answer).token).toEqual(token);
    expect(access(answer).user.id).toBe(id);
  });

  it.each(['tenantId', 'tenantName'])('Identity s4: %s scopes the token', async (member) => {
    const { tenant, roleIds } = identity.world;
    const value = member === 'tenantId' ? tenant.id : tenant.name;
    const answer = await authenticate({ passwordCredentials: passwordOf(), [member]: value });
    expect(answer.status).toBe(200);
    expect(access(answer).token.tenant).toEqual({ id: tenant.id, name: tenant.name });
    expect(access(answer).user.roles).toEqual([
      { id: roleIds.member, name: 'member', tenantId: tenant.id },
    ]);
  });

  it('Identity s4: an access key gives the same response as a password', async () => {
    const { tenant, accessKey } = identity.world;
    const byPassword = await authenticate({
      passwordCredentials: passwordOf(),
      tenantId: tenant.id,
    });
    const byKey = await authenticate({ apiAccessKeyCredentials: accessKey, tenantId: tenant.id });
    expect(byKey.status).toBe(200);
    const { id, expires, ...token } = access(byKey).token;
    expect(id).not.toBe('');
    expect(Date.parse(expires)).toBeGreaterThan(Date.now());
    expect({ ...access(byKey), token }).toEqual({
      ...access(byPassword),
      token: { tenant: access(byPassword).token.tenant },
    });
  });

  it('D-ID: a tenantId of digits may arrive as an integer', async () => {
    const { accountDomainId, user, roleIds } = identity.world;
    await insertTenant(identity.db, { accountDomainId, id: '14541255461800' });
    const assignment = { userId: user.id, roleId: roleIds.member, tenantId: '14541255461800' };
    await assignRole(identity.db, assignment);
    const answer = await authenticate({
      passwordCredentials: passwordOf(),
      tenantId: 14541255461800,
    });
    expect(answer.status).toBe(200);
    expect(access(answer).token.tenant?.id).toBe('14541255461800');
  });

  it('D-ID: an empty tenantId means unscoped', async () => {
    const answer = await authenticate({ passwordCredentials: passwordOf(), tenantId: '' });
    expect(answer.status).toBe(200);
    expect(access(answer).token.tenant).toBeUndefined();
  });

  it('D-ID: a token response must not be stored', async () => {
    const { headers } = await authenticate({ passwordCredentials: passwordOf() });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      expires: '-1',
      vary: 'Accept',
    });
    expect(headers['x-openstack-request-id']).toMatch(/^req-[0-9a-f-]{36}$/);
  });

  it('Identity s2: a role of a service carries serviceId, and a domain role has no tenantId', async () => {
    const { accountDomainId, serviceIds, tenant } = identity.world;
    const user = await insertUser(identity.db, { accountDomainId });
    const onTenant = await insertRole(identity.db, { serviceId: serviceIds.dns });
    const onDomain = await insertRole(identity.db);
    await assignRole(identity.db, { userId: user.id, roleId: onTenant, tenantId: tenant.id });
    await assignRole(identity.db, { userId: user.id, roleId: onDomain });
    const answer = await authenticate({
      passwordCredentials: passwordOf(user),
      tenantId: tenant.id,
    });
    expect(access(answer).user.roles).toEqual([
      { id: onDomain, name: `role-${onDomain}` },
      {
        id: onTenant,
        name: `role-${onTenant}`,
        serviceId: serviceIds.dns,
        tenantId: tenant.id,
      },
    ]);
  });

  it('D-REQ: unknown members of a body are ignored', async () => {
    const answer = await authenticate({ passwordCredentials: passwordOf(), 'RAX-AUTH': { a: 1 } });
    expect(answer.status).toBe(200);
  });

  it('D-ID: a user of 64 characters with an id of 64 characters can log in', async () => {
    const { accountDomainId } = identity.world;
    const user = await insertUser(identity.db, {
      accountDomainId,
      id: 'i'.repeat(64),
      name: 'ü'.repeat(64),
    });
    expect(
      access(await authenticate({ passwordCredentials: passwordOf(user) })).user,
    ).toMatchObject({ id: user.id, name: user.name });
  });
});

describe('Authenticate, XML', () => {
  it('Identity s2: the auth element has credentials and scope as attributes', async () => {
    const { user, tenant, roleIds } = identity.world;
    const answer = await authenticateXml(
      `<auth xmlns="http://docs.openstack.org/identity/api/v2.0" tenantId="${tenant.id}">
         <passwordCredentials username="${user.name}" password="${user.password}"/>
       </auth>`,
    );
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/xml');
    const root = await parseXml(answer.text);
    expect(root.name).toBe('access');
    expect(root.namespace).toBe('http://docs.openstack.org/identity/api/v2.0');
    expect(at(root, 'token')?.attributes['expires']).toMatch(/\.\d{3}Z$/);
    expect(at(root, 'token', 'tenant')?.attributes).toEqual({ id: tenant.id, name: tenant.name });
    expect(at(root, 'user')?.attributes).toEqual({
      id: user.id,
      name: user.name,
      domainStatus: 'enabled',
    });
    expect(at(root, 'user', 'roles', 'role')?.attributes).toEqual({
      id: roleIds.member,
      name: 'member',
      tenantId: tenant.id,
    });
  });

  it('Identity s2: the catalog contains service, endpoint and version elements', async () => {
    const { accessKey, tenant } = identity.world;
    const answer = await authenticateXml(
      `<auth xmlns="http://docs.openstack.org/identity/api/v2.0" tenantName="${tenant.name}">
         <h:apiAccessKeyCredentials xmlns:h="http://docs.openstack.org/identity/api/ext/hp/v1.0"
           accessKey="${accessKey.accessKey}" secretKey="${accessKey.secretKey}"/>
       </auth>`,
    );
    const root = await parseXml(answer.text);
    const services = childrenOf(at(root, 'serviceCatalog'), 'service');
    const store = services.find(({ attributes }) => attributes['type'] === 'object-store');
    const [endpoint] = childrenOf(store, 'endpoint');
    expect(endpoint?.attributes).toMatchObject({
      region: 'US-West',
      tenantId: tenant.id,
      publicURL: `https://objects.example.net/v1/${tenant.id}`,
    });
    const identityEntry = services.find(({ attributes }) => attributes['type'] === 'identity');
    const [version] = childrenOf(childrenOf(identityEntry, 'endpoint')[0], 'version');
    expect(version?.attributes).toEqual({
      id: '2.0',
      info: 'http://identity.example.net:35357/v2.0/',
      list: 'http://identity.example.net:35357',
    });
  });

  it.each([
    ['no namespace', '<auth>', ''],
    [
      'the extension namespace on the root',
      '<auth xmlns="http://docs.openstack.org/identity/api/ext/hp/v1.0">',
      '',
    ],
    ['a prefix', '<v2:auth xmlns:v2="http://docs.openstack.org/identity/api/v2.0">', 'v2:'],
  ])('D-ID: %s is accepted', async (_name, open, prefix) => {
    const { user } = identity.world;
    const answer = await authenticateXml(
      `${open}<${prefix}passwordCredentials username="${user.name}" password="${user.password}"/></${prefix}auth>`,
      'json',
    );
    expect(answer.status).toBe(200);
    expect(access(answer).user.id).toBe(user.id);
  });
});

describe('Authenticate, refused', () => {
  const REFUSED = {
    root: 'unauthorized',
    code: 401,
    message: 'UNAUTHORIZED',
    details: 'Invalid credentials',
  };

  it('Identity s7: the 401 body is exactly as documented', async () => {
    const answer = await authenticate({ passwordCredentials: { username: 'x', password: 'y' } });
    expect(answer.json).toEqual({
      unauthorized: {
        code: 401,
        message: 'UNAUTHORIZED',
        details: 'Invalid credentials',
        otherAttributes: {},
      },
    });
  });

  it.each(FORMATS)('D-ID-8: every wrong log-in gets the same 401 (%s)', async (format) => {
    const { user, tenant, accountDomainId, accessKey } = identity.world;
    const { db } = identity;
    const now = Date.now();
    const keyOf = (values: object) =>
      insertAccessKey(db, keyring, { userId: user.id, accountDomainId, ...values });
    const disabled = await insertUser(db, { accountDomainId, status: 'disabled' });
    const suspended = await insertUser(db, { accountDomainId, status: 'suspended' });
    const suspendedDomain = await insertAccountDomain(db, { status: 'suspended', statusCode: 2 });
    const ofSuspendedDomain = await insertUser(db, { accountDomainId: suspendedDomain });
    const foreignTenant = await insertTenant(db, { accountDomainId });
    const disabledTenant = await insertTenant(db, { accountDomainId, enabled: false });
    await assignRole(db, {
      userId: user.id,
      roleId: identity.world.roleIds.member,
      tenantId: disabledTenant.id,
    });
    const wrongSecret = { ...accessKey, secretKey: `${accessKey.secretKey}x` };
    const cases = [
      { passwordCredentials: { username: 'nobody', password: user.password } },
      { passwordCredentials: { username: user.name, password: 'wrong' } },
      { passwordCredentials: { username: user.name, password: '' } },
      { passwordCredentials: passwordOf(disabled) },
      { passwordCredentials: passwordOf(suspended) },
      { passwordCredentials: passwordOf(ofSuspendedDomain) },
      { passwordCredentials: passwordOf(), tenantId: 'unknown' },
      { passwordCredentials: passwordOf(), tenantName: 'unknown' },
      { passwordCredentials: passwordOf(), tenantId: foreignTenant.id },
      { passwordCredentials: passwordOf(), tenantId: disabledTenant.id },
      { passwordCredentials: passwordOf(), tenantId: tenant.name },
      { apiAccessKeyCredentials: { accessKey: 'UNKNOWN', secretKey: 'x' } },
      { apiAccessKeyCredentials: wrongSecret },
      { apiAccessKeyCredentials: await keyOf({ status: 'inactive' }) },
      { apiAccessKeyCredentials: await keyOf({ status: 'revoked' }) },
      { apiAccessKeyCredentials: await keyOf({ validTo: new Date(now - 1000) }) },
      { apiAccessKeyCredentials: await keyOf({ validFrom: new Date(now + 60_000) }) },
      { token: { id: 'unknown' } },
    ];
    for (const auth of cases) {
      const answer = await authenticate(auth, format);
      expect([auth, answer.status]).toEqual([auth, 401]);
      expect(await faultOf(answer)).toEqual(REFUSED);
    }
  });

  it.each(FORMATS)('Identity s4: a malformed body gets 400 with a reason (%s)', async (format) => {
    const credentials = passwordOf();
    const cases: [unknown, RegExp][] = [
      [{ passwordCredentials: credentials, tenantId: 'a', tenantName: 'b' }, /tenantName/],
      [{}, /exactly one/],
      [{ passwordCredentials: credentials, token: { id: 'x' } }, /exactly one/],
      [{ passwordCredentials: { username: 'x' } }, /password is required/],
      [{ passwordCredentials: { username: 7, password: 'x' } }, /username must be a string/],
      [{ passwordCredentials: credentials, tenantId: 1.5 }, /tenantId/],
      [{ passwordCredentials: credentials, tenantId: {} }, /tenantId/],
      [{ passwordCredentials: { username: 'a\0b', password: 'x' } }, /NUL/],
      ...(format === 'json'
        ? [
            [{ passwordCredentials: { username: 'a\ud800', password: 'x' } }, /surrogate/] as [
              unknown,
              RegExp,
            ],
          ]
        : []),
      [{ passwordCredentials: [] }, /must be an object/],
      [[], /auth must be an object/],
    ];
    for (const [auth, details] of cases) {
      const answer = await authenticate(auth, format);
      expect([auth, answer.status]).toEqual([auth, 400]);
      const fault = await faultOf(answer);
      expect(fault).toMatchObject({ root: 'badRequest', code: 400, message: 'Bad request' });
      expect(fault.details).toMatch(details);
    }
  });

  it('D-ID: all problems of a body are reported at once', async () => {
    const { details } = await faultOf(await authenticate({ passwordCredentials: {} }));
    expect(details).toBe(
      'auth.passwordCredentials.username is required; auth.passwordCredentials.password is required',
    );
  });
});
