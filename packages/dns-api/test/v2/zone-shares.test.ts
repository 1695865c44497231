import { describe, expect, it } from '@jest/globals';
import { createDomain } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '40' } });

const sharesOf = (zoneId: string) => `/v2/zones/${zoneId}/shares`;

async function share(zoneId: string, target = 'tenant-b'): Promise<{ readonly id: string }> {
  const response = await api
    .call('post', sharesOf(zoneId), { target_project_id: target })
    .expect(201);
  return response.body as { id: string };
}

describe('Zone shares (v2)', () => {
  it('are created, listed, shown and deleted by the owner', async () => {
    const zone = await createDomain(api);
    const made = await share(zone.id);
    const one = `${sharesOf(zone.id)}/${made.id}`;
    expect(made).toMatchObject({
      zone_id: zone.id,
      project_id: 'tenant-a',
      target_project_id: 'tenant-b',
      updated_at: null,
      links: { self: `${api.url}${one}`, zone: `${api.url}/v2/zones/${zone.id}` },
    });
    expect((await api.call('get', one).expect(200)).body).toEqual(made);
    const listed = await api.call('get', `${sharesOf(zone.id)}?target_project_id=tenant-b`);
    expect(listed.body).toMatchObject({ shared_zones: [made], metadata: { total_count: 1 } });
    await api.call('post', sharesOf(zone.id), { target_project_id: 'tenant-b' }).expect(409);
    await api.call('delete', one).expect(204);
    await api.call('get', one).expect(404);
  });

  it.each([{}, { target_project_id: '' }, { target_project_id: 'tenant-a' }, { other: 1 }])(
    'refuse %j',
    async (body) => {
      const zone = await createDomain(api);
      expect((await api.call('post', sharesOf(zone.id), body)).status).toBe(400);
    },
  );

  it('are limited in number', async () => {
    const zone = await createDomain(api);
    await api.db.raw(
      `insert into dns.zone_shares (domain_id, target_tenant_id)
       select ?, 'other-' || n from generate_series(1, 100) as n`,
      [zone.id],
    );
    const more = { target_project_id: 'tenant-b' };
    expect((await api.call('post', sharesOf(zone.id), more)).status).toBe(413);
  });

  it('let the other project read the zone, and nothing else of its owner', async () => {
    const zone = await createDomain(api);
    const exported = `/v2/zones/${zone.id}/tasks/export`;
    await api.callAs('token-b', 'post', exported).expect(404);
    const { id } = await share(zone.id);
    const response = await api.callAs('token-b', 'post', exported).expect(202);
    const { links } = response.body as { links: { export: string } };
    const content = links.export.slice(api.url.length);
    await api.callAs('token-b', 'get', content).expect(200);
    // These operations are only for owners, or belong to v1, which does not support shares.
    const refused: readonly ['get' | 'post' | 'delete' | 'put', string][] = [
      ['get', sharesOf(zone.id)],
      ['post', sharesOf(zone.id)],
      ['delete', `${sharesOf(zone.id)}/${id}`],
      ['post', `/v2/zones/${zone.id}/tasks/transfer_requests`],
      ['get', `/v1/domains/${zone.id}`],
      ['put', `/v1/domains/${zone.id}`],
      ['delete', `/v1/domains/${zone.id}`],
      ['get', `/v1/domains/${zone.id}/records`],
      ['post', `/v1/domains/${zone.id}/records`],
      ['get', `/v1/domains/${zone.id}/zonefile`],
    ];
    for (const [method, path] of refused) {
      const body = method === 'post' || method === 'put' ? { target_project_id: 'x' } : undefined;
      const answer = await api.callAs('token-b', method, path, body);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    await api.call('delete', `${sharesOf(zone.id)}/${id}`).expect(204);
    await api.callAs('token-b', 'get', content).expect(404);
  });

  it('let the other project change its recordsets, within its own rate limits and the quotas of the owner', async () => {
    const zone = await createDomain(api);
    const { id } = await share(zone.id);
    const seen = await api.callAs('token-b', 'get', `/v2/zones?name=${zone.name}`).expect(200);
    expect(seen.body).toMatchObject({ zones: [{ id: zone.id, project_id: 'tenant-a' }] });
    await api.callAs('token-b', 'get', `/v2/zones/${zone.id}`).expect(200);
    await api.callAs('token-b', 'get', `/v2/zones/${zone.id}/nameservers`).expect(200);
    const all = `/v2/zones/${zone.id}/recordsets`;
    const body = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
    const made = await api
      .callAs('token-b', 'post', all, body)
      .set('Idempotency-Key', 'shared-1')
      .expect(202);
    const recordset = (made.body as { id: string }).id;
    const { rows } = await api.db.raw<{ rows: unknown[] }>(
      `select tenant_id from dns.idempotency_keys where idempotency_key = 'shared-1'`,
    );
    expect(rows).toEqual([{ tenant_id: 'tenant-b' }]);
    const { rows: changes } = await api.db.raw<{ rows: unknown[] }>(
      `select user_id from dns.zone_changes where domain_id = ? and record_id is not null`,
      [zone.id],
    );
    expect(changes).toEqual([{ user_id: 'user-b' }]);
    await api.callAs('token-b', 'get', `/v2/recordsets/${recordset}`).expect(301);
    await api.callAs('token-b', 'put', `${all}/${recordset}`, { ttl: 60 }).expect(202);
    const listed = await api.callAs('token-b', 'get', `${all}?name=${body.name}`).expect(200);
    expect(listed.body).toMatchObject({ recordsets: [{ id: recordset, ttl: 60 }] });
    // The zone itself stays the owner's.
    await api.callAs('token-b', 'patch', `/v2/zones/${zone.id}`, { ttl: 60 }).expect(404);
    await api.callAs('token-b', 'delete', `/v2/zones/${zone.id}`).expect(404);
    await api.call('delete', `${sharesOf(zone.id)}/${id}`).expect(204);
    for (const [method, path] of [
      ['get', `/v2/zones/${zone.id}`],
      ['get', all],
      ['get', `${all}/${recordset}`],
      ['get', `/v2/recordsets/${recordset}`],
      ['put', `${all}/${recordset}`],
      ['delete', `${all}/${recordset}`],
    ] as const) {
      const answer = await api.callAs(
        'token-b',
        method,
        path,
        method === 'put' ? { ttl: 5 } : undefined,
      );
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    await api.call('delete', `${all}/${recordset}`).expect(202);
  });
});
