import { beforeAll, describe, expect, it } from '@jest/globals';
import { assignRole, FakeClock, insertUser, type TestUser, waitFor } from '@zonewright/testkit';
import { ROUTES } from '../src/routes.js';
import { type AccessKeyJson, AccessKeysClient, keyOf } from './access-keys-client.js';
import { type Answer, at, call, parseXml, tokenOf } from './client.js';
import { useIdentity } from './use-identity.js';

const clock = new FakeClock();
const identity = useIdentity({ clock, env: { ACCESS_KEY_QUOTA: '1000' } });

const RULE = { zone: 'example.com.', name: 'www', types: ['A'], actions: ['read', 'update'] };
const UNDERSTANDS = { 'X-Zonewright-Understands': 'restrictions' };
const HOUR_MS = 3_600_000;

let user: TestUser;
let keys: AccessKeysClient;
let service = '';

beforeAll(async () => {
  const { db, url, world } = identity;
  user = await insertUser(db, { accountDomainId: world.accountDomainId });
  for (const tenantId of [world.tenant.id, world.secondTenant.id]) {
    await assignRole(db, { userId: user.id, roleId: world.roleIds.member, tenantId });
  }
  keys = new AccessKeysClient(url, await tokenOf(url, user, world.tenant.id));
  service = await tokenOf(url, world.serviceUser);
});

type Restrictions = Readonly<Record<string, unknown>>;

async function createKey(restrictions: Restrictions = {}, rest: object = {}) {
  return await keys.create({
    ...rest,
    otherAttributes: { restrictions: { rules: [RULE], ...restrictions } },
  });
}

interface Scope {
  readonly tenantId?: string;
}

async function logIn(key: AccessKeyJson, scope: Scope = {}, headers = {}): Promise<Answer> {
  const { accessKeyId: accessKey, secretKey } = key;
  const auth = { apiAccessKeyCredentials: { accessKey, secretKey }, ...scope };
  const body = { auth };
  return await call(identity.url, { method: 'POST', path: '/v2.0/tokens', body, headers });
}

async function tokenOfKey(key: AccessKeyJson): Promise<string> {
  const answer = await logIn(key);
  expect(answer.status).toBe(200);
  return (answer.json as { access: { token: { id: string } } }).access.token.id;
}

async function logInV3(identityBody: object, scope?: unknown): Promise<Answer> {
  const body = { auth: { identity: identityBody, ...(scope === undefined ? {} : { scope }) } };
  return await call(identity.url, { method: 'POST', path: '/v3/auth/tokens', body });
}

async function validate(token: string, by: string, headers: object = UNDERSTANDS): Promise<Answer> {
  return await call(identity.url, {
    path: '/v3/auth/tokens',
    token: by,
    headers: { 'X-Subject-Token': token, ...headers },
  });
}

describe('Restrictions of a new access key', () => {
  it('are shown in their normal form, for the tenant of the token', async () => {
    const created = await createKey({ rules: [{ ...RULE, zone: 'Example.COM.' }] });
    const restrictions = {
      tenantId: identity.world.tenant.id,
      rules: [RULE],
      networks: [],
      massDelete: false,
    };
    expect(created.otherAttributes).toEqual({ restrictions });
    expect((await keys.get(created.accessKeyId)).otherAttributes).toEqual({ restrictions });
  });

  it('of the preset acme allow challenges', async () => {
    const tenantId = identity.world.secondTenant.id;
    const otherAttributes = { name: 'web1', preset: 'acme', zone: 'example.com.', tenantId };
    const { otherAttributes: shown } = await keys.create({ otherAttributes });
    expect(shown).toMatchObject({
      name: 'web1',
      restrictions: { tenantId, rules: [{ name: '_acme-challenge.**', types: ['TXT'] }] },
    });
  });

  it('are a JSON text in XML', async () => {
    const { accessKeyId } = await createKey();
    const answer = await keys.send('GET', `/${accessKeyId}`, { accept: 'xml' });
    const text = at(await parseXml(answer.text), 'restrictions')?.text ?? '';
    expect(JSON.parse(text)).toMatchObject({ rules: [RULE] });
    const body = `<accessKey xmlns="urn:x"><restrictions>${text.replaceAll('"', '&quot;')}</restrictions></accessKey>`;
    const created = keyOf(await keys.send('POST', '', { body }));
    expect(created.otherAttributes).toMatchObject({ restrictions: { rules: [RULE] } });
  });

  it('can be imported, and the key works', async () => {
    const accessKey = [
      {
        accessKeyId: 'RESTRICTEDIMPORT',
        secretKey: 'from elsewhere',
        algorithm: 'x',
        otherAttributes: { restrictions: { rules: [RULE] } },
      },
    ];
    const answer = await keys.send('PUT', '', { body: { accessKeys: { accessKey } } });
    expect(answer.status).toBe(200);
    const key = await keys.get('RESTRICTEDIMPORT', '?export=true');
    expect(key.secretKey).toBe('from elsewhere');
    expect(await tokenOfKey(key)).not.toBe('');
  });

  it.each([
    ['otherAttributes.restriction', { restriction: {} }],
    ['otherAttributes.restrictions.rules[0].actions', { restrictions: { rules: [{ zone: '*' }] } }],
    ['otherAttributes.restrictions.networks[0]', { restrictions: { networks: ['10.0.0.1/8'] } }],
    ['otherAttributes.preset', { preset: 'acme', zone: 'example.com.', restrictions: {} }],
    ['otherAttributes.name', { name: '' }],
    ['tenantId is', { restrictions: { tenantId: 'nobodys' } }],
  ])('returns 400 with the path: %s', async (path, otherAttributes) => {
    const answer = await keys.send('POST', '', { body: { accessKey: { otherAttributes } } });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(path);
  });

  it('a name belongs to one usable key of a user: 409', async () => {
    const named = { accessKey: { otherAttributes: { name: 'twice' } } };
    const first = keyOf(await keys.send('POST', '', { body: named }));
    expect((await keys.send('POST', '', { body: named })).status).toBe(409);
    await keys.send('DELETE', `/${first.accessKeyId}`);
    expect((await keys.send('POST', '', { body: named })).status).toBe(201);
  });
});

describe('A token of a restricted key', () => {
  it('is for the tenant of the key, whether the request names it or not', async () => {
    const { tenant, secondTenant } = identity.world;
    const key = await createKey();
    const scoped = await logIn(key);
    expect(scoped.json).toMatchObject({ access: { token: { tenant: { id: tenant.id } } } });
    expect((await logIn(key, { tenantId: tenant.id })).status).toBe(200);
    expect((await logIn(key, { tenantId: secondTenant.id })).status).toBe(401);
  });

  it('has fewer than 300 octets', async () => {
    const { restriction_number: number } = (
      await identity.db.raw<{ rows: { restriction_number: string }[] }>(
        `select setval('identity.restriction_numbers', 99999999) as restriction_number`,
      )
    ).rows[0]!;
    expect(number).toBeDefined();
    expect((await tokenOfKey(await createKey())).length).toBeLessThan(300);
  });

  it('is described with its restrictions to callers that support them', async () => {
    const key = await createKey({ networks: ['127.0.0.0/8'] });
    const answer = await validate(await tokenOfKey(key), service);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      token: {
        application_credential: { id: key.accessKeyId, restricted: true },
        'EXT-IDM:restrictions': { rules: [RULE], networks: ['127.0.0.0/8'], massDelete: false },
      },
    });
  });

  it('is unknown to all other callers, in each version of the API', async () => {
    const token = await tokenOfKey(await createKey());
    for (const by of [service, token]) {
      expect((await validate(token, by, {})).status).toBe(404);
      expect((await validate(token, by, { 'X-Zonewright-Understands': 'something' })).status).toBe(
        404,
      );
    }
    for (const path of [`/v2.0/tokens/${token}`, `/v2.0/tokens/${token}/endpoints`]) {
      expect((await call(identity.url, { path, token: service })).status).toBe(404);
    }
    // The token is cached now, which must not change the answer.
    expect((await validate(token, service)).status).toBe(200);
    expect((await validate(token, service, {})).status).toBe(404);
  });

  it('cannot be rescoped, in either version', async () => {
    const token = await tokenOfKey(await createKey());
    const tenantId = identity.world.tenant.id;
    const path = '/v2.0/tokens';
    for (const scope of [{ tenantId }, {}]) {
      const body = { auth: { token: { id: token }, ...scope } };
      expect((await call(identity.url, { method: 'POST', path, body })).status).toBe(403);
    }
    for (const scope of [{ project: { id: tenantId } }, 'unscoped', undefined]) {
      const answer = await logInV3({ methods: ['token'], token: { id: token } }, scope);
      expect(answer.status).toBe(403);
    }
  });

  it('gives information only about itself, and revokes only itself', async () => {
    const own = await tokenOfKey(await createKey());
    const other = await tokenOf(identity.url, user, identity.world.tenant.id);
    expect((await validate(own, own)).status).toBe(200);
    expect((await validate(other, own)).status).toBe(401);
    const revoke = (subject: string) =>
      call(identity.url, { method: 'DELETE', path: `/v2.0/tokens/${subject}`, token: own });
    expect((await revoke(other)).status).toBe(403);
    expect((await revoke(own)).status).toBe(204);
  });

  it('may be used only from its networks, like its key', async () => {
    const key = await createKey({ networks: ['192.0.2.0/24'] });
    expect((await logIn(key)).status).toBe(401);
  });

  it('ends with its key, when that is inactive, deleted or expired', async () => {
    const ends = async (restrict: (key: AccessKeyJson) => Promise<unknown>, rest = {}) => {
      const key = await createKey({}, rest);
      const token = await tokenOfKey(key);
      await restrict(key);
      await waitFor(async () => (await validate(token, service)).status === 404);
      expect((await logIn(key)).status).toBe(401);
    };
    await ends(({ accessKeyId }) => keys.setStatus(accessKeyId, 'inactive'));
    await ends(({ accessKeyId }) => keys.send('DELETE', `/${accessKeyId}`));
    const validTo = clock.now() + HOUR_MS;
    await ends(
      () => {
        clock.advance(HOUR_MS);
        return Promise.resolve();
      },
      { validTo },
    );
  });

  it('ends with the role of its user on the tenant', async () => {
    const { db, url, world } = identity;
    const leaving = await insertUser(db, { accountDomainId: world.accountDomainId });
    const roleId = world.roleIds.member;
    await assignRole(db, { userId: leaving.id, roleId, tenantId: world.tenant.id });
    const own = new AccessKeysClient(url, await tokenOf(url, leaving));
    const otherAttributes = { restrictions: { rules: [RULE] } };
    const token = await tokenOfKey(await own.create({ otherAttributes }));
    await db.raw('delete from identity.role_assignments where user_id = ?', [leaving.id]);
    await waitFor(async () => (await validate(token, service)).status === 404);
  });
});

const ALLOWED = [
  'DELETE /v2.0/EXT-IDM/v1.0/tokens/{tokenId}',
  'DELETE /v2.0/tokens/{tokenId}',
  'DELETE /v3/auth/tokens',
  'GET /v3/auth/catalog',
  'GET /v3/auth/tokens',
  'HEAD /v3/auth/tokens',
];

describe('Operations with a restricted token', () => {
  const guarded = ROUTES.filter((route) => route.access === 'token');

  it('are only these, which concern the token itself', () => {
    const allowed = guarded.filter((route) => 'restricted' in route);
    expect(allowed.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(ALLOWED);
  });

  it.each(guarded.filter((route) => !('restricted' in route)))(
    '$method $path returns 403, with rules and without',
    async ({ method, path }) => {
      for (const restrictions of [{}, { rules: undefined }]) {
        const token = await tokenOfKey(await createKey(restrictions));
        const target = path.replaceAll(/\{userId\}/g, user.id).replaceAll(/\{\w+\}/g, token);
        const answer = await call(identity.url, {
          method,
          path: target,
          token,
          ...(method === 'GET' || method === 'HEAD' ? {} : { body: {} }),
          headers: { ...UNDERSTANDS, 'X-Subject-Token': token },
        });
        expect(answer.status).toBe(403);
      }
    },
  );
});

describe('The method application_credential of version 3', () => {
  it('accepts an access key by its id, or by its name and its user', async () => {
    const otherAttributes = { name: 'by name', restrictions: { rules: [RULE] } };
    const { accessKeyId: id, secretKey: secret } = await keys.create({ otherAttributes });
    const methods = ['application_credential'];
    const named = {
      name: 'by name',
      user: { name: user.name, domain: { id: identity.world.accountDomainId } },
    };
    for (const credential of [{ id }, named]) {
      const answer = await logInV3({ methods, application_credential: { ...credential, secret } });
      expect(answer.status).toBe(201);
      expect(answer.json).toMatchObject({
        token: {
          methods,
          project: { id: identity.world.tenant.id },
          application_credential: { id, name: 'by name', restricted: true },
        },
      });
    }
    const wrong = [
      { id, secret: 'wrong' },
      { ...named, name: 'nobody', secret },
      { ...named, user: { name: 'nobody' }, secret },
      { ...named, user: { ...named.user, domain: { id: 'other' } }, secret },
    ];
    for (const credential of wrong) {
      const answer = await logInV3({ methods, application_credential: credential });
      expect(answer.status).toBe(401);
    }
  });

  it("is scoped to its user's only tenant without restrictions; if there are several, the tenant must be named", async () => {
    const { db, url, world } = identity;
    const { accessKeyId: id, secretKey: secret } = await keys.create();
    const body = { methods: ['application_credential'], application_credential: { id, secret } };
    expect((await logInV3(body)).status).toBe(401);
    expect((await logInV3(body, { project: { id: world.tenant.id } })).status).toBe(201);
    const single = await insertUser(db, { accountDomainId: world.accountDomainId });
    const tenantId = world.secondTenant.id;
    await assignRole(db, { userId: single.id, roleId: world.roleIds.member, tenantId });
    const key = await new AccessKeysClient(url, await tokenOf(url, single)).create();
    const answer = await logInV3({
      methods: ['application_credential'],
      application_credential: { id: key.accessKeyId, secret: key.secretKey },
    });
    expect(answer.json).toMatchObject({ token: { project: { id: tenantId } } });
  });
});

describe('The last use of a key', () => {
  it('is recorded without an announcement', async () => {
    const key = await createKey();
    await logIn(key);
    const uses = async () =>
      (
        await identity.db.raw<{ rows: { last_used_at: Date }[] }>(
          'select last_used_at from identity.access_key_uses where access_key_id = ?',
          [key.accessKeyId],
        )
      ).rows;
    await waitFor(async () => (await uses()).length === 1);
    expect(await uses()).toEqual([{ last_used_at: new Date(clock.now()) }]);
  });

  it('is shown only in lists that request more than the original service had', async () => {
    const used = await createKey();
    const unused = await createKey();
    await logIn(used);
    const shown = async (query: string) =>
      Object.fromEntries(
        (await keys.list(query)).map((key) => [
          key.accessKeyId,
          (key as { lastUsedOn?: number | null }).lastUsedOn,
        ]),
      );
    await waitFor(async () => (await shown('?extended=true'))[used.accessKeyId] === clock.now());
    expect((await shown('?extended=true'))[unused.accessKeyId]).toBeNull();
    expect((await shown(''))[used.accessKeyId]).toBeUndefined();
    expect(await keys.send('GET', '?extended=yes')).toMatchObject({ status: 400 });
  });
});

describe('The row of a restricted key', () => {
  it('keeps its restrictions, and cannot be opened without them', async () => {
    const key = await createKey();
    const { db } = identity;
    const strip = `update identity.access_keys set restriction = null, restriction_number = null where id = ?`;
    await expect(db.raw(strip, [key.accessKeyId])).rejects.toThrow('cannot be changed');
    // This simulates an attacker who has bypassed the trigger, or a version that does not support restrictions.
    await db.raw('alter table identity.access_keys disable trigger keep_restriction');
    await db.raw(strip, [key.accessKeyId]);
    await db.raw('alter table identity.access_keys enable trigger keep_restriction');
    expect((await logIn(key)).status).not.toBe(200);
  });
});

describe('Check Presented Access Key', () => {
  const check = async (accessKey: object): Promise<Answer> =>
    await call(identity.url, {
      method: 'POST',
      path: '/v3/internal/access-keys/verify',
      token: service,
      body: { access_key: { source: '192.0.2.1', ...accessKey } },
    });
  const shown = ({ accessKeyId: id, secretKey: secret }: AccessKeyJson) => ({ id, secret });

  it('returns the contents of a token with its restrictions', async () => {
    const key = await createKey();
    expect(await check(shown(key))).toMatchObject({
      status: 200,
      json: {
        token: {
          user: { id: user.id },
          project: { id: identity.world.tenant.id },
          application_credential: { id: key.accessKeyId, restricted: true },
          'EXT-IDM:restrictions': { rules: [RULE] },
        },
      },
    });
  });

  it('returns the owner of an unrestricted key, and no tenant', async () => {
    const { json } = await check(shown(await keys.create({})));
    expect(json).toMatchObject({ token: { user: { id: user.id } } });
    expect(json).not.toHaveProperty('token.project');
  });

  it('is the same for a wrong secret, an unknown key, another network, and a key that has ended', async () => {
    const bound = await createKey({ networks: ['198.51.100.0/24'] });
    const ended = await createKey({}, { validTo: new Date(clock.now() + HOUR_MS).toISOString() });
    const right = await createKey();
    expect(await check({ ...shown(bound), source: '198.51.100.7' })).not.toMatchObject({
      json: { token: null },
    });
    clock.advance(2 * HOUR_MS);
    const refused = [
      { ...shown(right), secret: 'wrong' },
      { id: 'nobody', secret: 'wrong' },
      shown(bound),
      shown(ended),
    ];
    for (const each of refused) {
      expect(await check(each)).toMatchObject({ status: 200, json: { token: null } });
    }
  });
});
