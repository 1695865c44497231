import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  assignRole,
  insertAccountDomain,
  insertTenant,
  insertUser,
  newId,
  type TestUser,
} from '@zonewright/testkit';
import { insertOperator, insertThings, operatorRole } from './administration-calls.js';
import { type Answer, type Call, call, expectSoon, tokenOf } from './client.js';
import { useIdentity } from './use-identity.js';

const identity = useIdentity({
  env: { ACCOUNT_DOMAIN_QUOTA: '12', ROLE_ASSIGNMENT_QUOTA: '3' },
});
let administrator = '';
let operator = '';

beforeAll(async () => {
  administrator = await tokenOf(identity.url, identity.world.administrator);
  operator = await tokenOf(identity.url, await insertOperator(identity));
});

async function ask(token: string, request: Omit<Call, 'token'>): Promise<Answer> {
  return await call(identity.url, { ...request, token });
}

function listOf(answer: Answer, member: string): { id: string; name: string }[] {
  return (answer.json as Record<string, { id: string; name: string }[]>)[member] ?? [];
}

function messageOf(answer: Answer): string {
  return (answer.json as { error: { message: string } }).error.message;
}

async function isValid(token: string): Promise<boolean> {
  return (await call(identity.url, { path: '/v3/auth/projects', token })).status === 200;
}

/** Creates a separate account domain with an administrator, for tests that count objects. */
async function newDomain(): Promise<{ id: string; admin: TestUser; token: string }> {
  const { db, url, world } = identity;
  const id = await insertAccountDomain(db);
  const admin = await insertUser(db, { accountDomainId: id });
  await assignRole(db, { userId: admin.id, roleId: world.roleIds.admin });
  return { id, admin, token: await tokenOf(url, admin) };
}

interface ProjectJson {
  readonly project: { readonly id: string; readonly tags: readonly string[] };
}

describe('Projects', () => {
  it("are created in the administrator's own domain, shown, changed and deleted", async () => {
    const name = `project-${newId()}`;
    const body = { project: { name, description: 'of mine', tags: [], options: {} } };
    const created = await ask(administrator, { method: 'POST', path: '/v3/projects', body });
    expect(created.status).toBe(201);
    const { project } = created.json as { project: { id: string } };
    const path = `/v3/projects/${project.id}`;
    expect(project).toEqual({
      id: project.id,
      name,
      domain_id: identity.world.accountDomainId,
      description: 'of mine',
      enabled: true,
      parent_id: identity.world.accountDomainId,
      is_domain: false,
      tags: [],
      options: {},
      links: { self: identity.url + path },
    });
    const change = { project: { description: 'no longer' } };
    const changed = await ask(administrator, { method: 'PATCH', path, body: change });
    expect(changed.json).toEqual({ project: { ...project, description: 'no longer' } });
    expect((await ask(administrator, { method: 'DELETE', path })).status).toBe(204);
    expect((await ask(administrator, { path })).status).toBe(404);
  });

  it('are found by a part of their names, as in Keystone: name__contains, name__istartswith, ...', async () => {
    const { token } = await newDomain();
    for (const name of ['Mail-100%', 'mail-1000', 'web']) {
      const body = { project: { name: `${name} ${newId()}` } };
      await ask(token, { method: 'POST', path: '/v3/projects', body });
    }
    const list = async (query: string) => {
      const { json } = await ask(token, { path: `/v3/projects?${query}` });
      return listOf({ json } as Answer, 'projects')
        .map(({ name }) => name.split(' ')[0])
        .toSorted();
    };
    expect(await list('name__contains=100%25')).toEqual(['Mail-100%']);
    expect(await list('name__startswith=mail')).toEqual(['mail-1000']);
    expect(await list('name__istartswith=MAIL&name__contains=-')).toEqual([
      'Mail-100%',
      'mail-1000',
    ]);
    expect(await list('name__endswith=web')).toEqual([]);
    expect(
      (await ask(token, { path: '/v3/users?name__icontains=nobody-has-this' })).json,
    ).toMatchObject({ users: [] });
    expect((await ask(token, { path: '/v3/users?name__contains=' })).status).toBe(400);
  });

  it('have tags, by which lists are filtered', async () => {
    const { id, token } = await newDomain();
    const create = async (tags: readonly string[], rest = {}) => {
      const body = { project: { name: `project-${newId()}`, tags, ...rest } };
      return await ask(token, { method: 'POST', path: '/v3/projects', body });
    };
    const first = (await create(['red', 'blue', 'red'], { parent_id: id })).json as ProjectJson;
    const second = (await create(['blue'])).json as ProjectJson;
    expect([first, second].map(({ project }) => project.tags)).toEqual([['blue', 'red'], ['blue']]);
    const list = async (query: string) => {
      const { json } = await ask(token, { path: `/v3/projects?${query}` });
      return (json as { projects: ProjectJson['project'][] }).projects.map((each) => each.id);
    };
    const both = [first.project.id, second.project.id].toSorted();
    expect(await list('tags=red,blue')).toEqual([first.project.id]);
    expect(await list('tags-any=red,green,blue')).toEqual(both);
    expect(await list('not-tags=red,blue')).toEqual([second.project.id]);
    expect(await list('not-tags-any=red,green')).toEqual([second.project.id]);
    expect(await list('tags=%22%2C%7D%7B')).toEqual([]);
    const path = `/v3/projects/${first.project.id}`;
    for (const tags of [['a,b'], ['a/b'], [''], ['a'.repeat(256)], ['\0']]) {
      const answer = await ask(token, { method: 'PATCH', path, body: { project: { tags } } });
      expect([tags, answer.status]).toEqual([tags, 400]);
    }
    const read = await ask(token, { path: `${path}/tags` });
    expect(read.json).toMatchObject({ tags: ['blue', 'red'], links: { next: null } });
    const tooMany = Array.from({ length: 81 }, (_, n) => `t${n}`);
    expect((await create(tooMany)).status).toBe(400);
    expect(((await ask(token, { path })).json as ProjectJson).project.tags).toEqual([
      'blue',
      'red',
    ]);
    await ask(token, { method: 'PATCH', path, body: { project: { tags: [] } } });
    expect(((await ask(token, { path })).json as ProjectJson).project.tags).toEqual([]);
    expect((await create([], { parent_id: first.project.id })).status).toBe(400);
  });

  it('a name that exists anywhere is refused with 409 and a reason', async () => {
    const { token } = await newDomain();
    const body = { project: { name: identity.world.tenant.name } };
    const answer = await ask(token, { method: 'POST', path: '/v3/projects', body });
    expect([answer.status, answer.json]).toEqual([
      409,
      {
        error: {
          code: 409,
          title: 'conflict',
          message: `a tenant named "${identity.world.tenant.name}" already exists`,
        },
      },
    ]);
  });

  it('cannot be deleted while they have zones; their tokens end when they are disabled', async () => {
    const { tenant, user } = await insertThings(identity);
    const token = await tokenOf(identity.url, user, tenant.id);
    await identity.db.raw(
      `insert into dns.domains (id, tenant_id, name, ttl, email, serial)
       values (gen_random_uuid(), ?, ?, 3600, 'a@b.example', 1)`,
      [tenant.id, `${newId()}.example.`],
    );
    const path = `/v3/projects/${tenant.id}`;
    const refused = await ask(administrator, { method: 'DELETE', path });
    expect([refused.status, messageOf(refused)]).toEqual([409, expect.stringMatching(/has zones/)]);
    const body = { project: { enabled: false } };
    expect((await ask(administrator, { method: 'PATCH', path, body })).status).toBe(200);
    await expectSoon(async () => !(await isValid(token)));
  });

  it('are shown to users with a role on them, and to nobody else', async () => {
    const { user, tenant } = identity.world;
    const token = await tokenOf(identity.url, user);
    const other = await insertTenant(identity.db, {
      accountDomainId: identity.world.accountDomainId,
    });
    expect((await ask(token, { path: `/v3/projects/${tenant.id}` })).status).toBe(200);
    expect((await ask(token, { path: `/v3/projects/${other.id}` })).status).toBe(403);
  });
});

describe('Users', () => {
  it('have a default project that their administrator manages, which gives no token a scope', async () => {
    const { token } = await newDomain();
    const name = `user-${newId()}`;
    const project = { name: `project-${newId()}` };
    const made = await ask(token, { method: 'POST', path: '/v3/projects', body: { project } });
    const { id: projectId } = (made.json as ProjectJson).project;
    const password = 'correct horse battery';
    const create = async (default_project_id: string) =>
      await ask(token, {
        method: 'POST',
        path: '/v3/users',
        body: { user: { name, password, default_project_id } },
      });
    // Another administrator's tenant counts as unknown.
    expect((await create(identity.world.tenant.id)).status).toBe(404);
    const created = await create(projectId);
    expect(created.json).toMatchObject({ user: { default_project_id: projectId } });
    const { user } = created.json as { user: { id: string } };
    const path = `/v3/users/${user.id}`;
    const change = async (body: object) =>
      (await ask(token, { method: 'PATCH', path, body: { user: body } })).json as { user: object };
    expect((await change({ email: 'a@b.example' })).user).toMatchObject({
      default_project_id: projectId,
    });
    const own = await tokenOf(identity.url, { name, password });
    const shown = await call(identity.url, {
      path: '/v3/auth/tokens',
      token: own,
      headers: { 'X-Subject-Token': own },
    });
    expect(shown.json).not.toHaveProperty('token.project');
    expect((await change({ default_project_id: '' })).user).not.toHaveProperty(
      'default_project_id',
    );
    await change({ default_project_id: projectId });
    expect((await ask(token, { method: 'DELETE', path: `/v3/projects/${projectId}` })).status).toBe(
      204,
    );
    expect((await ask(token, { path })).json).not.toHaveProperty('user.default_project_id');
  });

  it('can log in with their first password until they are disabled', async () => {
    const name = `user-${newId()}`;
    const about = { description: 'of the night shift', email: 'night@example.net' };
    const body = { user: { name, password: 'correct horse', enabled: true, ...about } };
    const created = await ask(administrator, { method: 'POST', path: '/v3/users', body });
    expect(created.status).toBe(201);
    expect(created.text).not.toContain('correct horse');
    const { id } = (created.json as { user: { id: string } }).user;
    const token = await tokenOf(identity.url, { name, password: 'correct horse' });
    const shown = await ask(token, { path: `/v3/users/${id}` });
    expect(shown.json).toMatchObject({ user: { name, ...about } });
    const path = `/v3/users/${id}`;
    const disable = { method: 'PATCH', path, body: { user: { enabled: false } } } as const;
    expect((await ask(administrator, disable)).json).toMatchObject({ user: { enabled: false } });
    await expectSoon(async () => !(await isValid(token)));
  });

  it.each(['PATCH by an administrator', 'POST by oneself'])(
    'D-ACC: a new password ends every token (%s)',
    async (way) => {
      const { user } = await insertThings(identity);
      const token = await tokenOf(identity.url, user);
      const password = 'a better one';
      const answer =
        way === 'POST by oneself'
          ? await ask(token, {
              method: 'POST',
              path: `/v3/users/${user.id}/password`,
              body: { user: { password, original_password: user.password } },
            })
          : await ask(administrator, {
              method: 'PATCH',
              path: `/v3/users/${user.id}`,
              body: { user: { password } },
            });
      expect(answer.status).toBeLessThan(300);
      await expectSoon(async () => !(await isValid(token)));
      await tokenOf(identity.url, { name: user.name, password });
      await expect(tokenOf(identity.url, user)).rejects.toThrow('401');
    },
  );

  it("one's own password: a wrong original gets 401, a weak one 400, and another user's 403", async () => {
    const { user } = await insertThings(identity);
    const token = await tokenOf(identity.url, user);
    const change = async (id: string, original_password: string, password: string) =>
      await ask(token, {
        method: 'POST',
        path: `/v3/users/${id}/password`,
        body: { user: { original_password, password } },
      });
    expect((await change(user.id, 'wrong', 'a better one')).status).toBe(401);
    const weak = await change(user.id, user.password, 'short');
    expect([weak.status, messageOf(weak)]).toEqual([400, expect.stringMatching(/8 characters/)]);
    expect((await change(identity.world.user.id, 'x', 'a better one')).status).toBe(403);
    expect(await isValid(token)).toBe(true);
  });

  it('of two concurrent changes of one password the second finds that it has changed', async () => {
    const { user } = await insertThings(identity);
    const token = await tokenOf(identity.url, user);
    const answers = await Promise.all(
      ['the first new one', 'the second new one'].map((password) =>
        ask(token, {
          method: 'POST',
          path: `/v3/users/${user.id}/password`,
          body: { user: { original_password: user.password, password } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
  });

  it('a deleted user is gone with its keys and tokens; a new one with the same id has none of them', async () => {
    const { db, url } = identity;
    const { user, accountDomainId } = await insertThings(identity);
    const token = await tokenOf(url, user);
    const path = `/v3/users/${user.id}`;
    expect((await ask(administrator, { method: 'DELETE', path })).status).toBe(204);
    await expectSoon(async () => !(await isValid(token)));
    await insertUser(db, { ...user, accountDomainId });
    const again = await tokenOf(url, user);
    expect([await isValid(again), await isValid(token)]).toEqual([true, false]);
  });

  it('users with a role that a domain administrator must not grant cannot be changed by one', async () => {
    const { db, url, world } = identity;
    const { accountDomainId } = world;
    const superior = await insertUser(db, { accountDomainId });
    await assignRole(db, { userId: superior.id, roleId: await operatorRole(db) });
    const path = `/v3/users/${superior.id}`;
    for (const request of [
      { method: 'PATCH', path, body: { user: { password: 'taken over' } } },
      { method: 'PATCH', path, body: { user: { enabled: false } } },
      { method: 'DELETE', path },
      { method: 'DELETE', path: `/v3/users/${world.serviceUser.id}` },
    ] as const) {
      const answer = await ask(administrator, request);
      expect([answer.status, messageOf(answer)]).toEqual([
        403,
        expect.stringMatching(/only the operator/),
      ]);
    }
    // The older API does not allow it with an access key either.
    const key = await call(url, {
      method: 'POST',
      path: '/v2.0/EXT-IDM/v1.0/accesskeys',
      token: administrator,
      body: { accessKey: { userId: superior.id } },
    });
    expect(key.status).toBe(401);
  });

  it('only the operator can admit a suspended user again', async () => {
    const { user } = await insertThings(identity);
    await identity.db.raw(`update identity.users set status = 'suspended' where id = ?`, [user.id]);
    const request = {
      method: 'PATCH',
      path: `/v3/users/${user.id}`,
      body: { user: { enabled: true } },
    } as const;
    expect((await ask(administrator, request)).status).toBe(403);
    expect((await ask(operator, request)).json).toMatchObject({ user: { enabled: true } });
  });

  it.each([
    [{}, /user is required/],
    [{ user: { name: 7 } }, /user\.name must be a string/],
    [{ user: { name: ' a' } }, /blank/],
    [{ user: { name: 'a', original_password: 'red' } }, /original_password is not supported/],
    [{ user: { name: 'a', options: { lock_password: true } } }, /user\.options is not supported/],
    [{ user: { name: 'a', colour: '\0' } }, /user\.colour must not contain NUL/],
    [{ user: { name: 'a', colour: ['\0'] } }, /user\.colour must not contain NUL/],
    [{ user: { name: 'a', colour: 'x'.repeat(4_096) } }, /4096 bytes/],
    [{ user: { name: 'a', ['x'.repeat(65)]: 1 } }, /1 to 64 characters/],
    [
      {
        user: { name: 'a', ...Object.fromEntries(Array.from({ length: 33 }, (_, at) => [at, 1])) },
      },
      /32 members/,
    ],
    [{ user: { name: 'a', enabled: 'yes' } }, /user\.enabled must be true or false/],
    [{ user: { name: 'a', password: 'short' } }, /8 characters/],
    [{ user: { name: 'x'.repeat(321) } }, /320 characters/],
  ])('the malformed body %j gets 400 with a reason', async (body, message) => {
    const { token } = await newDomain();
    const answer = await ask(token, { method: 'POST', path: '/v3/users', body });
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringMatching(message)]);
  });

  it('accepts only JSON of at most 16 KiB', async () => {
    const post = { method: 'POST', path: '/v3/users' } as const;
    const large = await ask(administrator, {
      ...post,
      body: { user: { name: 'x'.repeat(17_000) } },
    });
    expect(large.status).toBe(413);
    const xml = await ask(administrator, { ...post, body: '<user name="a"/>' });
    expect([xml.status, messageOf(xml)]).toEqual([415, 'Content-Type must be application/json']);
    const accepted = await ask(administrator, { path: '/v3/users', accept: 'xml' });
    expect(accepted.status).toBe(406);
  });
});

describe('D-ACC-62: members that only clients know', () => {
  it.each([
    ['project', '/v3/projects'],
    ['user', '/v3/users'],
    ['role', '/v3/roles'],
  ])('of a %s are kept, changed one by one, and removed by null', async (root, path) => {
    const name = newId();
    const own = { colour: 'red', shape: { corners: 3 } };
    const body = { [root]: { name, description: 'a thing', ...own } };
    const created = await ask(operator, { method: 'POST', path, body });
    const thing = (created.json as Record<string, { id: string }>)[root] ?? { id: '' };
    expect(thing).toMatchObject({ name, description: 'a thing', ...own });
    const place = `${path}/${thing.id}`;
    expect((await ask(operator, { path: place })).json).toEqual({ [root]: thing });
    const listed = listOf(await ask(operator, { path: `${path}?name=${name}` }), `${root}s`);
    expect(listed).toEqual([thing]);
    const change = { [root]: { colour: null, size: 7, links: {} } };
    const changed = await ask(operator, { method: 'PATCH', path: place, body: change });
    const { colour, ...rest } = thing as typeof thing & { colour: string };
    expect([colour, changed.json]).toEqual(['red', { [root]: { ...rest, size: 7 } }]);
  });

  it('never replace members of ours', async () => {
    const body = { user: { name: newId(), domain: 'x', status: 'gone' } };
    const { json } = await ask(operator, { method: 'POST', path: '/v3/users', body });
    expect(json).toMatchObject({ user: { ...body.user, enabled: true } });
  });
});

describe('Lists', () => {
  it('are listed in the order of ids, with a link to the next page', async () => {
    const { token, id } = await newDomain();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await insertTenant(identity.db, { accountDomainId: id })).id);
    }
    const seen: string[] = [];
    let path: string | undefined = '/v3/projects?limit=2';
    while (path !== undefined) {
      const answer = await ask(token, { path });
      seen.push(...listOf(answer, 'projects').map((project) => project.id));
      const { links, truncated } = answer.json as {
        links: { next: string | null };
        truncated?: boolean;
      };
      expect(truncated).toBe(links.next === null ? undefined : true);
      path = links.next?.slice(identity.url.length);
    }
    expect(seen).toEqual(ids.sort());
  });

  it('are filtered by name, domain and enabled; another domain shows nothing', async () => {
    const { accountDomainId, tenant } = identity.world;
    const names = async (token: string, query: string) =>
      listOf(await ask(token, { path: `/v3/projects?${query}` }), 'projects').map(({ id }) => id);
    expect(await names(administrator, `name=${tenant.name}`)).toEqual([tenant.id]);
    expect(await names(administrator, `name=${tenant.name}&enabled=false`)).toEqual([]);
    expect(await names(administrator, `domain_id=${accountDomainId}`)).toContain(tenant.id);
    const { token, id } = await newDomain();
    expect(await names(token, `domain_id=${accountDomainId}`)).toEqual([]);
    expect(await names(operator, `domain_id=${id}`)).toEqual([]);
    expect(await names(operator, `name=${tenant.name}`)).toEqual([tenant.id]);
  });

  it.each(['limit=0', 'limit=x', 'enabled=perhaps', 'name='])('%s is 400', async (query) => {
    expect((await ask(administrator, { path: `/v3/users?${query}` })).status).toBe(400);
  });

  it('role assignments are listed page by page, with names, and by user, role and scope', async () => {
    const { token, id } = await newDomain();
    const { user, tenant, memberId } = await insertThings(identity, id);
    const read = async (query: string) =>
      (await ask(token, { path: `/v3/role_assignments?${query}` })).json as {
        role_assignments: { role: { id: string; name?: string }; scope: object; user: object }[];
        links: { next: string | null };
      };
    const all = await read('');
    expect(all.role_assignments).toHaveLength(3);
    const pages = [];
    let query: string | undefined = 'limit=1';
    while (query !== undefined) {
      const page: Awaited<ReturnType<typeof read>> = await read(query);
      pages.push(...page.role_assignments);
      query = page.links.next?.split('?')[1];
    }
    expect(pages).toEqual(all.role_assignments);
    const named = await read(`user.id=${user.id}&scope.project.id=${tenant.id}&include_names=True`);
    const domain = { id, name: `domain-${id}` };
    expect(named.role_assignments).toMatchObject([
      {
        role: { id: memberId, name: 'member' },
        user: { id: user.id, name: user.name, domain },
        scope: { project: { id: tenant.id, name: tenant.name, domain } },
      },
    ]);
    expect((await read(`scope.domain.id=${id}`)).role_assignments).toHaveLength(2);
    expect((await read(`role.id=${identity.world.roleIds.service}`)).role_assignments).toEqual([]);
    expect((await read('group.id=x')).role_assignments).toEqual([]);
  });
});

describe('Roles', () => {
  const grantPath = (place: string, placeId: string, userId: string, roleId: string) =>
    `/v3/${place}s/${placeId}/users/${userId}/roles/${roleId}`;

  it("are granted and revoked if they are the administrator's to grant", async () => {
    const { user, tenant, memberId } = await insertThings(identity);
    const path = grantPath('project', tenant.id, user.id, memberId);
    const statuses = [];
    for (const method of ['DELETE', 'HEAD', 'DELETE', 'PUT', 'PUT', 'HEAD'] as const) {
      statuses.push((await ask(administrator, { method, path })).status);
    }
    expect(statuses).toEqual([204, 404, 404, 204, 204, 204]);
    const roles = await ask(administrator, { path: path.slice(0, path.lastIndexOf('/')) });
    expect(listOf(roles, 'roles').map(({ name }) => name)).toEqual(['member']);
  });

  it("the operator's, those of services and unknown ones cannot be granted", async () => {
    const { db, world } = identity;
    const { user, tenant, roleId, accountDomainId } = await insertThings(identity);
    for (const role of [await operatorRole(db), world.roleIds.service, roleId]) {
      for (const path of [
        grantPath('project', tenant.id, user.id, role),
        grantPath('domain', accountDomainId, user.id, role),
      ]) {
        expect((await ask(administrator, { method: 'PUT', path })).status).toBe(403);
        expect((await ask(operator, { method: 'PUT', path })).status).toBe(204);
        expect((await ask(administrator, { method: 'DELETE', path })).status).toBe(403);
        await ask(operator, { method: 'DELETE', path });
      }
    }
  });

  it('on a domain they are held only by its own users, and no administrator affects another domain', async () => {
    const { memberId, user } = await insertThings(identity);
    const stranger = await newDomain();
    const elsewhere = await insertThings(identity, stranger.id);
    const across = grantPath('domain', stranger.id, user.id, memberId);
    expect((await ask(operator, { method: 'PUT', path: across })).status).toBe(400);
    for (const path of [
      across,
      grantPath('project', elsewhere.tenant.id, user.id, memberId),
      grantPath('project', identity.world.tenant.id, elsewhere.user.id, memberId),
    ]) {
      expect((await ask(administrator, { method: 'PUT', path })).status).toBe(404);
      expect((await ask(stranger.token, { method: 'PUT', path })).status).toBe(404);
    }
  });

  it('the last administrator of a domain may be removed, who then has no rights', async () => {
    const { admin, token, id } = await newDomain();
    const path = grantPath('domain', id, admin.id, identity.world.roleIds.admin);
    expect((await ask(token, { method: 'DELETE', path })).status).toBe(204);
    await expectSoon(async () => (await ask(token, { path: '/v3/users' })).status === 403);
  });

  it('many concurrent grants of one role count as one; a user who is deleted in the meantime is 404', async () => {
    const { user, tenant, memberId } = await insertThings(identity);
    const path = grantPath('project', tenant.id, user.id, memberId);
    await ask(operator, { method: 'DELETE', path });
    const granted = await Promise.all(
      [administrator, operator, administrator, operator].map((token) =>
        ask(token, { method: 'PUT', path }),
      ),
    );
    expect(granted.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const both = await Promise.all([
      ask(administrator, { method: 'DELETE', path: `/v3/users/${user.id}` }),
      ...[1, 2, 3].map(() => ask(operator, { method: 'PUT', path })),
    ]);
    expect(both[0].status).toBe(204);
    for (const { status } of both.slice(1)) expect([204, 404]).toContain(status);
    const { rows } = await identity.db.raw<{ rows: unknown[] }>(
      'select from identity.role_assignments where user_id = ?',
      [user.id],
    );
    expect(rows).toEqual([]);
  });

  it('that programs know by name, or a service needs, cannot be renamed or deleted', async () => {
    const { db, world } = identity;
    const { roleId } = await insertThings(identity);
    await db.raw(
      'insert into identity.service_required_roles (service_id, role_id) values (?, ?)',
      [world.serviceIds.objectStore, roleId],
    );
    for (const id of [world.roleIds.admin, roleId]) {
      const answer = await ask(operator, { method: 'DELETE', path: `/v3/roles/${id}` });
      expect(answer.status).toBe(409);
    }
    await db.raw('delete from identity.service_required_roles where role_id = ?', [roleId]);
    expect((await ask(operator, { method: 'DELETE', path: `/v3/roles/${roleId}` })).status).toBe(
      204,
    );
  });
});

describe('Bounds', () => {
  it('an account domain has a limited number of users and projects, also when they are created concurrently', async () => {
    const { token, id } = await newDomain();
    for (const [path, root, table] of [
      ['/v3/users', 'user', 'users'],
      ['/v3/projects', 'project', 'tenants'],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 16 }, () =>
          ask(token, { method: 'POST', path, body: { [root]: { name: newId() } } }),
        ),
      );
      expect(answers.filter(({ status }) => status === 413).length).toBeGreaterThanOrEqual(4);
      const { rows } = await identity.db.raw<{ rows: { count: number }[] }>(
        `select count(*)::integer as count from identity.${table} where account_domain_id = ?`,
        [id],
      );
      expect(rows[0]?.count).toBe(12);
      const more = {
        method: 'POST',
        path,
        body: { [root]: { name: newId(), domain_id: id } },
      } as const;
      expect((await ask(operator, more)).status).toBe(201);
    }
  });

  it('a user has a limited number of role assignments', async () => {
    const { user, tenant, memberId } = await insertThings(identity);
    const { accountDomainId, roleIds } = identity.world;
    const more = await insertTenant(identity.db, { accountDomainId });
    const put = async (tenantId: string, roleId: string) =>
      (
        await ask(administrator, {
          method: 'PUT',
          path: `/v3/projects/${tenantId}/users/${user.id}/roles/${roleId}`,
        })
      ).status;
    expect([await put(more.id, memberId), await put(tenant.id, roleIds.admin)]).toEqual([204, 413]);
    // A role that is already held does not count again.
    expect(await put(more.id, memberId)).toBe(204);
  });

  it('a user who stops being an administrator during a request changes nothing', async () => {
    const { admin, token } = await newDomain();
    await identity.db.raw('update identity.users set tokens_valid_after = now() where id = ?', [
      admin.id,
    ]);
    const name = newId();
    const answer = await ask(token, {
      method: 'POST',
      path: '/v3/users',
      body: { user: { name } },
    });
    expect(answer.status).toBe(401);
    const { rows } = await identity.db.raw<{ rows: unknown[] }>(
      'select from identity.users where name = ?',
      [name],
    );
    expect(rows).toEqual([]);
  });
});

describe('Domains, groups, regions', () => {
  it('administrators see their own domain, and the operator all', async () => {
    const { accountDomainId } = identity.world;
    const idsFor = async (token: string) =>
      listOf(await ask(token, { path: '/v3/domains' }), 'domains').map(({ id }) => id);
    expect(await idsFor(administrator)).toEqual([accountDomainId]);
    expect((await idsFor(operator)).length).toBeGreaterThan(1);
    const own = await ask(administrator, { path: '/v3/auth/domains' });
    expect(listOf(own, 'domains').map(({ id }) => id)).toEqual([accountDomainId]);
    const member = await tokenOf(identity.url, identity.world.user);
    expect(listOf(await ask(member, { path: '/v3/auth/domains' }), 'domains')).toEqual([]);
  });

  it('there are no groups', async () => {
    expect(listOf(await ask(administrator, { path: '/v3/groups' }), 'groups')).toEqual([]);
    expect((await ask(administrator, { path: '/v3/groups/x' })).status).toBe(404);
  });

  it('services and endpoints are listed as the operator entered them', async () => {
    const services = await ask(operator, { path: '/v3/services?type=hpext:dns' });
    expect(listOf(services, 'services')).toMatchObject([{ name: 'DNS' }]);
    const { dns } = identity.world.serviceIds;
    const endpoints = await ask(operator, { path: `/v3/endpoints?service_id=${dns}` });
    expect(listOf(endpoints, 'endpoints')).toMatchObject([{ interface: 'public', enabled: true }]);
    const regions = await ask(administrator, { path: '/v3/regions' });
    expect(listOf(regions, 'regions').map(({ id }) => id)).toEqual(['US-West']);
  });
});
