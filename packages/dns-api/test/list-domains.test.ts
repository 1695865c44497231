import { describe, expect, it } from '@jest/globals';
import { createDomain, type DomainBody, type ErrorBody } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '5000' } });

async function list(query = '', token = 'token-a'): Promise<DomainBody[]> {
  const response = await api.callAs(token, 'get', `/v1/domains${query}`).expect(200);
  return (response.body as { domains: DomainBody[] }).domains;
}

describe('List Domains (DNS API s4)', () => {
  it("DNS API s4: returns only the tenant's domains, oldest first", async () => {
    const created = [await createDomain(api), await createDomain(api), await createDomain(api)];
    await createDomain(api, {}, 'token-b');
    expect(await list()).toEqual(created);
  });

  it('D-ZONE: limit and marker select pages of the list', async () => {
    const all = await list();
    const first = await list('?limit=2');
    expect(first).toEqual(all.slice(0, 2));
    expect(await list(`?limit=2&marker=${first[1]?.id ?? ''}`)).toEqual(all.slice(2, 4));
  });

  it('D-ZONE: name filters the list, in any letter case', async () => {
    const [first] = await list();
    expect(await list(`?name=${first?.name.toUpperCase() ?? ''}`)).toEqual([first]);
    expect(await list('?name=no..name')).toEqual([]);
  });

  it.each(['limit=', 'marker=', 'name=', 'limit=0', 'limit=1001', 'limit=x', 'marker=x'])(
    'D-ZONE: %s is refused',
    async (query) => {
      const response = await api.call('get', `/v1/domains?${query}`);
      expect(response.status).toBe(400);
      expect((response.body as ErrorBody).errors[0]?.path).toBe(query.split('=')[0]);
    },
  );

  it('D-ZONE-12: a marker of another tenant is invalid', async () => {
    const [own] = await list();
    const response = await api.callAs('token-b', 'get', `/v1/domains?marker=${own?.id ?? ''}`);
    expect(response.status).toBe(400);
  });

  it('without a limit the whole list is returned, also beyond one chunk', async () => {
    await api.db.raw(
      `insert into dns.domains (tenant_id, name, email, ttl, serial, created_at)
       select 'tenant-b', 'bulk-' || n || '.example.', 'a@example.com', 60, 1, now() - make_interval(secs => 5000 - n / 3)
         from generate_series(1, 2500) as n`,
    );
    const names = (await list('', 'token-b')).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('bulk-'))).toHaveLength(2500);
    expect(new Set(names).size).toBe(2501);
  });
});
