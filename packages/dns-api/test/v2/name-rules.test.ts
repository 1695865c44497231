import { afterEach, describe, expect, it } from '@jest/globals';
import { createDomain, freshName } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '40' } });
const asOperator = (...call: Parameters<typeof api.call>) => api.callAs('token-operator', ...call);

afterEach(async () => {
  await api.db.raw('delete from dns.name_rules');
});

const create = (name: string, token = 'token-a', path = '/v1/domains') =>
  api.callAs(token, 'post', path, { name, email: 'a@example.com' });

describe.each([
  ['tlds', 'name', 'Example', 'example', 'other'],
  ['blacklists', 'pattern', '^bad\\.', '^bad\\.', 'worse'],
])('%s (v2)', (plural, member, given, shown, other) => {
  it('are created, listed, changed and deleted by operators', async () => {
    const body = { [member]: given, description: 'why' };
    const made = await asOperator('post', `/v2/${plural}`, body).expect(201);
    const { id } = made.body as { id: string };
    const one = `/v2/${plural}/${id}`;
    expect(made.body).toMatchObject({
      [member]: shown,
      description: 'why',
      updated_at: null,
      links: { self: `${api.url}${one}` },
    });
    await asOperator('post', `/v2/${plural}`, body).expect(409);
    expect((await asOperator('get', one).expect(200)).body).toEqual(made.body);
    const query = new URLSearchParams({ [member]: shown }).toString();
    const listed = await asOperator('get', `/v2/${plural}?${query}&sort_key=${member}`).expect(200);
    expect(listed.body).toMatchObject({ [plural]: [made.body], metadata: { total_count: 1 } });
    const changed = await asOperator('patch', one, { [member]: other, description: null });
    expect(changed.body).toMatchObject({ [member]: other, description: null });
    await asOperator('delete', one).expect(204);
    await asOperator('get', one).expect(404);
    await asOperator('patch', one, {}).expect(404);
  });

  it('are only for operators', async () => {
    for (const [method, path] of [
      ['get', ''],
      ['post', ''],
      ['get', '/00000000-0000-4000-8000-000000000000'],
    ] as const) {
      const response = await api.call(method, `/v2/${plural}${path}`, {});
      expect([method, path, response.status]).toEqual([method, path, 403]);
    }
  });

  it.each([[{}], [{ [member]: '' }], [{ [member]: 'a(' }], [{ [member]: 5 }], [{ odd: 1 }]])(
    'refuse %j',
    async (body) => {
      expect((await asOperator('post', `/v2/${plural}`, body)).status).toBe(400);
    },
  );
});

describe('TLDs (v2)', () => {
  it('with a final dot: 400', async () => {
    const response = await asOperator('post', '/v2/tlds', { name: 'example.' }).expect(400);
    expect(response.body).toMatchObject({
      type: 'invalid_object',
      message: expect.stringContaining('without a trailing dot'),
    });
  });
});

describe('Rules for the names of new zones', () => {
  const rule = (plural: string, body: object) =>
    asOperator('post', `/v2/${plural}`, body).expect(201);

  it('a blacklisted name: 400 in every version, but not for operators; existing zones stay', async () => {
    const old = await createDomain(api);
    await rule('blacklists', { pattern: '^zone-\\d+\\.example\\.$' });
    const name = freshName();
    expect((await create(name).expect(400)).body).toMatchObject({
      type: 'invalid_domain_name',
      errors: [{ path: 'name', validator: 'blacklist' }],
    });
    await api
      .call('post', '/v1/domains/import')
      .set('Content-Type', 'text/dns')
      .send(
        `$ORIGIN ${name}\n@ 60 IN SOA a.example. b.example. 1 2 3 4 5\nw 60 IN A 192.0.2.1\n` as unknown as object,
      )
      .expect(400);
    await api.call('put', `/v1/domains/${old.id}`, { ttl: 77 }).expect(200);
    await create(name, 'token-operator').expect(200);
  });

  it('with TLDs, only names below one of them are allowed', async () => {
    await rule('tlds', { name: 'co.example' });
    await create('a.example.').expect(400);
    await create('co.example.').expect(400);
    await create('a.co.example.').expect(200);
    await create('a.b.co.example.').expect(200);
    await create('operators.org.', 'token-operator').expect(200);
    await rule('tlds', { name: 'example' });
    expect((await create('b.example.')).status).toBe(200);
  });

  it('no pattern takes long: neither one with backtracking, nor all together', async () => {
    await rule('blacklists', { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' });
    const long = '(a{1,2}b?){150}';
    let made = 1;
    while (
      (await asOperator('post', '/v2/blacklists', { pattern: `${long}${'c'.repeat(made)}` }))
        .status === 201
    ) {
      made += 1;
    }
    expect(made).toBeGreaterThan(10);
    const refused = await asOperator('post', '/v2/blacklists', { pattern: `${long}x` }).expect(413);
    expect((refused.body as { message: string }).message).toMatch(/states/);
    // The request is answered within its limit of 2 s.
    const label = 'ab'.repeat(31);
    await create(`${label}.${label}.${label}.example.`).expect(200);
  });
});
