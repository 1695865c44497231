import { describe, expect, it } from '@jest/globals';
import { createDomain, type DomainBody, type ErrorBody, freshName } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

const EMAIL = 'admin@example.com';

async function refuse(body: object, status = 400): Promise<ErrorBody> {
  const response = await api.call('post', '/v1/domains', body).expect(status);
  return response.body as ErrorBody;
}

describe('Create Domain (DNS API s4)', () => {
  it('DNS API s4: returns 200 with the domain and all its members', async () => {
    const name = freshName();
    const response = await api.call('post', '/v1/domains', { name, email: EMAIL, ttl: 300 });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name,
      email: EMAIL,
      ttl: 300,
      serial: expect.any(Number),
      description: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      updated_at: null,
    });
  });

  it('D-ZONE-1: sets an absolute Location, from the Host of the request', async () => {
    const response = await api
      .call('post', '/v1/domains', { name: freshName(), email: EMAIL })
      .set('Host', 'dns.example.net:8443');
    expect(response.headers['location']).toBe(
      `http://dns.example.net:8443/v1/domains/${(response.body as DomainBody).id}`,
    );
  });

  it('D-ZONE: ttl defaults to 3600', async () => {
    expect((await createDomain(api)).ttl).toBe(3600);
  });

  it('D-ZONE: the name is stored in lower case and U-labels as A-labels', async () => {
    expect((await createDomain(api, { name: 'Bücher-1.Example.' })).name).toBe(
      'xn--bcher-1-n2a.example.',
    );
  });

  it('D-ZONE-33: the serial begins with the time in seconds', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { serial } = await createDomain(api);
    expect(serial).toBeGreaterThanOrEqual(before);
    expect(serial).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('D-ZONE-7: reports all problems of a request at once', async () => {
    const body = await refuse({ name: 'no-dot.example', email: 'nobody', ttl: -1, colour: 'red' });
    expect(body).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(body.errors.map(({ path }) => path).sort()).toEqual(['colour', 'email', 'name', 'ttl']);
  });

  it('DNS API s7: a missing member is reported with the validator `required`', async () => {
    const body = await refuse({});
    expect(body.errors.map(({ path, validator }) => [path, validator])).toEqual([
      ['name', 'required'],
      ['email', 'required'],
    ]);
  });

  it.each([
    ['com.', 'minLabels'],
    ['co.uk.', 'publicSuffix'],
    ['example.com', 'absolute'],
    ['single.', 'minLabels'],
    ['-bad.example.', 'label'],
    [`${'a'.repeat(64)}.example.`, 'label'],
    ['a.'.repeat(130), 'maxLength'],
  ])('D-ZONE: the name %s is refused (%s)', async (name, validator) => {
    const body = await refuse({ name, email: EMAIL });
    expect(body.type).toBe('invalid_domain_name');
    expect(body.errors.map((problem) => problem.validator)).toContain(validator);
  });

  it.each([null, -1, 2_147_483_648, 1.5, '3600'])('D-ZONE: ttl %p is refused', async (ttl) => {
    const body = await refuse({ name: freshName(), email: EMAIL, ttl });
    expect(body.errors.map(({ path }) => path)).toEqual(['ttl']);
  });

  it('DNS API s7: a name that exists anywhere is a duplicate, 409', async () => {
    const { name } = await createDomain(api);
    const response = await api.callAs('token-b', 'post', '/v1/domains', { name, email: EMAIL });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ code: 409, type: 'duplicate_domain' });
  });

  it("D-ZONE-30: a child of another tenant's domain is forbidden, 403", async () => {
    const { name } = await createDomain(api);
    const response = await api.callAs('token-b', 'post', '/v1/domains', {
      name: `child.${name}`,
      email: EMAIL,
    });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 403, type: 'forbidden' });
  });

  it("D-ZONE-30: a parent of another tenant's domain is forbidden, 403", async () => {
    const name = freshName();
    await createDomain(api, { name: `deep.child.${name}` });
    const response = await api.callAs('token-b', 'post', '/v1/domains', { name, email: EMAIL });
    expect(response.status).toBe(403);
  });

  it('D-ZONE: a child and a parent of an own domain are allowed', async () => {
    const name = freshName();
    await createDomain(api, { name: `b.${name}` });
    await createDomain(api, { name });
    const grandchild = await createDomain(api, { name: `a.b.${name}` });
    expect(grandchild.name).toBe(`a.b.${name}`);
  });

  it("D-NS: the nameservers' own domain, and names in it, are forbidden, 403", async () => {
    await api.db.raw(
      `insert into dns.nameserver_domain (name, email, serial) values ('dns.provider.example.', 'a@b.example', 1)`,
    );
    for (const name of ['dns.provider.example.', 'x.dns.provider.example.']) {
      const response = await api.call('post', '/v1/domains', { name, email: EMAIL });
      expect(response.status).toBe(403);
    }
    const around = await createDomain(api, { name: 'provider.example.' });
    expect(around.name).toBe('provider.example.');
  });

  it('D-ZONE-33: a name that is created again continues with a greater serial', async () => {
    const { id, name } = await createDomain(api);
    await api.db.raw('update dns.domains set serial = 4000000000 where id = ?', [id]);
    await api.call('delete', `/v1/domains/${id}`).expect(200);
    expect((await createDomain(api, { name })).serial).toBeGreaterThan(4_000_000_001);
  });

  it('DNS API s7: malformed JSON gets 400 in the error form of the API', async () => {
    const response = await api
      .call('post', '/v1/domains')
      .set('Content-Type', 'application/json')
      .send('{"name": ');
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 400, type: 'invalid_json' });
  });

  it.each([[[]], ['text'], [7], [null]])(
    'DNS API s7: a body of %j is not an object, 400',
    async (body) => {
      const response = await api
        .call('post', '/v1/domains')
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body));
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ type: 'invalid_object' });
    },
  );
});
