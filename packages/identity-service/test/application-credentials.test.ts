import { beforeAll, describe, expect, it } from '@jest/globals';
import { assignRole, insertAccessKey, insertUser, type TestUser } from '@zonewright/testkit';
import { type Answer, call, tokenOf } from './client.js';
import { keyring, useIdentity } from './use-identity.js';

const identity = useIdentity({ env: { ACCESS_KEY_QUOTA: '1000' } });
const RULE = {
  zone: 'example.com.',
  name: '_acme-challenge.**',
  types: ['TXT'],
  actions: ['read'],
};

interface Credential {
  readonly id: string;
  readonly secret?: string;
}

let user: TestUser;
let token = '';

beforeAll(async () => {
  const { db, url, world } = identity;
  user = await insertUser(db, { accountDomainId: world.accountDomainId });
  const roleId = world.roleIds.member;
  await assignRole(db, { userId: user.id, roleId, tenantId: world.tenant.id });
  token = await tokenOf(url, user, world.tenant.id);
});

async function send(method: 'GET' | 'POST' | 'DELETE', path = '', body?: object): Promise<Answer> {
  const target = `/v3/users/${user.id}/application_credentials${path}`;
  return await call(identity.url, { method, path: target, token, body });
}

async function create(members: object): Promise<Answer> {
  return await send('POST', '', { application_credential: members });
}

const credentialOf = (answer: Answer) =>
  (answer.json as { application_credential: Credential }).application_credential;

async function logIn({ id, secret }: Credential): Promise<Answer> {
  const methods = ['application_credential'];
  const body = { auth: { identity: { methods, application_credential: { id, secret } } } };
  return await call(identity.url, { method: 'POST', path: '/v3/auth/tokens', body });
}

describe('Application credentials', () => {
  it('have the members of Keystone, and show the secret once', async () => {
    const { world, url } = identity;
    const answer = await create({
      name: 'all members',
      description: 'why',
      expires_at: '2040-01-31T00:00:00.123456',
      roles: [{ name: 'member' }],
      access_rules: [RULE],
    });
    expect(answer.status).toBe(201);
    const { secret, ...credential } = credentialOf(answer);
    expect(secret).toHaveLength(40);
    expect(credential).toEqual({
      id: expect.any(String),
      name: 'all members',
      description: 'why',
      user_id: user.id,
      project_id: world.tenant.id,
      expires_at: '2040-01-31T00:00:00.123456',
      unrestricted: false,
      roles: [{ id: world.roleIds.member, name: 'member' }],
      access_rules: [RULE],
      links: { self: `${url}/v3/users/${user.id}/application_credentials/${credential.id}` },
    });
    const shown = await send('GET', `/${credential.id}`);
    expect(credentialOf(shown)).toEqual(credential);
    const listed = await send('GET', '?name=all%20members');
    expect(listed.json).toMatchObject({ application_credentials: [credential] });
    expect((await send('GET', '?name=none')).json).toMatchObject({ application_credentials: [] });
  });

  it('log in for their project, with our secret or their own, until they are deleted', async () => {
    for (const secret of [undefined, 'a secret of my own']) {
      const made = credentialOf(await create({ name: `secret ${secret ?? ''}`.trim(), secret }));
      const answer = await logIn(made);
      expect(answer.status).toBe(201);
      expect(answer.json).toMatchObject({
        token: {
          methods: ['application_credential'],
          project: { id: identity.world.tenant.id },
          application_credential: { restricted: true },
        },
      });
      const own = String(answer.headers['x-subject-token']);
      const path = `/v3/users/${user.id}/application_credentials`;
      expect((await call(identity.url, { path, token: own })).status).toBe(403);
      expect((await send('DELETE', `/${made.id}`)).status).toBe(204);
      expect((await logIn(made)).status).toBe(401);
      expect((await send('GET', `/${made.id}`)).status).toBe(404);
      expect((await send('DELETE', `/${made.id}`)).status).toBe(404);
    }
  });

  it('are only restricted keys: an ordinary access key is not one', async () => {
    const { db, world } = identity;
    const owner = { userId: user.id, accountDomainId: world.accountDomainId };
    const { accessKey } = await insertAccessKey(db, keyring, owner);
    const { id } = credentialOf(await create({ name: 'beside an ordinary key' }));
    const listed = (await send('GET')).json as { application_credentials: Credential[] };
    const ids = listed.application_credentials.map((each) => each.id);
    expect(ids).toContain(id);
    expect(ids).not.toContain(accessKey);
    expect((await send('GET', `/${accessKey}`)).status).toBe(404);
    expect((await send('DELETE', `/${accessKey}`)).status).toBe(404);
  });

  it('an existing name gets 409', async () => {
    expect((await create({ name: 'taken' })).status).toBe(201);
    expect((await create({ name: 'taken' })).status).toBe(409);
  });

  it.each([
    ['name', {}],
    ['unrestricted', { name: 'n', unrestricted: true }],
    ['expires_at', { name: 'n', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'n', expires_at: '2001-01-01T00:00:00' }],
    [
      'access_rules[0]',
      { name: 'n', access_rules: [{ service: 'dns', method: 'GET', path: '/' }] },
    ],
    ['roles must contain member', { name: 'n', roles: [{ name: 'other' }] }],
  ])('an invalid body gets 400 with the reason: %s', async (path, members) => {
    const answer = await create(members);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(path);
  });
});
