import { describe, expect, it } from '@jest/globals';
import { createDomain } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

describe('Get Servers Hosting a Domain (DNS API s4)', () => {
  it('DNS API s2: lists the six nameservers in order, with id, name and times', async () => {
    await api.db.raw(
      `insert into dns.servers (name, position) select 'ns1-' || n || '.dns.example.', n from generate_series(1, 6) as n`,
    );
    const { id } = await createDomain(api);
    const response = await api.call('get', `/v1/domains/${id}/servers`);
    expect(response.status).toBe(200);
    const { servers } = response.body as { servers: { name: string }[] };
    expect(servers.map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `ns1-${n}.dns.example.`),
    );
    expect(servers[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'ns1-1.dns.example.',
      created_at: expect.stringMatching(/\.\d{6}$/),
      updated_at: null,
    });
  });

  it('D-ZONE-12: returns 404 for a domain of another tenant', async () => {
    const { id } = await createDomain(api);
    const response = await api.callAs('token-b', 'get', `/v1/domains/${id}/servers`);
    expect(response.status).toBe(404);
  });
});

describe('List Limits (DNS API s4)', () => {
  it('D-ZONE-36: allows 20 domains and 500 records by default', async () => {
    const response = await api.call('get', '/v1/limits');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      limits: { absolute: { maxDomainRecords: 500, maxDomains: 20 } },
    });
  });

  it("D-ZONE-36: a tenant's own limits take precedence", async () => {
    await api.db.raw(`insert into dns.quotas (tenant_id, max_domains) values ('tenant-b', 1)`);
    const response = await api.callAs('token-b', 'get', '/v1/limits');
    expect(response.body).toEqual({
      limits: { absolute: { maxDomainRecords: 500, maxDomains: 1 } },
    });
    await createDomain(api, {}, 'token-b');
    const refused = await api.callAs('token-b', 'post', '/v1/domains', {
      name: 'second.example.',
      email: 'a@example.com',
    });
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ code: 413, type: 'over_quota' });
  });

  it('DNS API s7: returns 401 without a token', async () => {
    const response = await api.callAs(undefined, 'get', '/v1/limits');
    expect(response.status).toBe(401);
  });
});

describe('Versions (DNS API s9; D-ZONE-18)', () => {
  it('GET / lists version 1 with links, without a token', async () => {
    const response = await api.callAs(undefined, 'get', '/');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      versions: {
        values: [
          { id: 'v1', status: 'CURRENT', links: [{ rel: 'self', href: `${api.url}/v1` }] },
          { id: 'v2', status: 'SUPPORTED', links: [{ rel: 'self', href: `${api.url}/v2` }] },
          { id: 'v2.0', status: 'CURRENT', links: [{ rel: 'self', href: `${api.url}/v2` }] },
        ],
      },
    });
  });

  it('GET /v1 describes version 1', async () => {
    const response = await api.callAs(undefined, 'get', '/v1/');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ version: { id: 'v1', status: 'CURRENT' } });
  });
});
