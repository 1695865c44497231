import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ListedRecordBody,
} from './support/fixtures.js';
import { CALLERS, withTokens } from './support/fake-tokens.js';
import { useApi } from './support/use-api.js';

const RULE = { zone: 'seen.example.', name: '*', types: ['A'], actions: ['read'] as const };
const restricted = {
  ...CALLERS['token-a'],
  userId: 'user-a',
  tenantId: 'tenant-a',
  roles: ['dns-admin'],
  key: { id: 'KEY', rules: [RULE], networks: [], massDelete: false },
};
const api = useApi({
  env: { DNS_API_MAX_DOMAINS: '5000' },
  overrides: {
    tokens: withTokens({ 'token-key': restricted }),
  },
});

const nextOf = (headers: unknown) => {
  const { link } = headers as { link?: string };
  const target = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
  return target === undefined ? undefined : new URL(target);
};

interface DeletedBody extends DomainBody {
  readonly deleted_at: string;
  readonly undelete_until: string;
}

describe('deleted=true in List Domains (Beyond the specification)', () => {
  it('lists deleted domains that can be restored, the last one first, with the time limit', async () => {
    const domains = [await createDomain(api), await createDomain(api), await createDomain(api)];
    for (const { id } of domains) await api.call('delete', `/v1/domains/${id}`).expect(200);
    const list = async (query = '') => {
      const response = await api.call('get', `/v1/domains?deleted=true${query}`).expect(200);
      return response.body as { domains: DeletedBody[] };
    };
    const { domains: deleted } = await list();
    expect(deleted.map(({ id }) => id)).toEqual(domains.map(({ id }) => id).reverse());
    const last = deleted[0]!;
    const keptMs = Date.parse(last.undelete_until) - Date.parse(last.deleted_at);
    expect(keptMs).toBe(30 * 86_400_000);
    const rest = await list(`&limit=1&marker=${last.id}`);
    expect(rest.domains).toEqual(deleted.slice(1, 2));
    expect((await list(`&name=${domains[0]!.name}`)).domains).toEqual(deleted.slice(2));
    await api.call('post', `/v1/domains/${last.id}/undelete`).expect(200);
    expect((await list()).domains).toEqual(deleted.slice(1));
  });

  it('shows no domain of other tenants, and none that is too old', async () => {
    const { id } = await createDomain(api);
    await api.call('delete', `/v1/domains/${id}`).expect(200);
    const own = await api.callAs('token-b', 'get', '/v1/domains?deleted=true');
    expect(own.body).toEqual({ domains: [] });
    expect(
      (await api.callAs('token-b', 'get', `/v1/domains?deleted=true&marker=${id}`)).status,
    ).toBe(400);
    const key = await api.callAs('token-key', 'get', '/v1/domains?deleted=true&total=true');
    expect([key.body, key.headers['x-total-count']]).toEqual([{ domains: [] }, '0']);
    await api.db.raw(
      `update dns.domains set deleted_at = now() - interval '31 days' where id = ?`,
      [id],
    );
    const { text } = await api.call('get', '/v1/domains?deleted=true');
    expect(text).not.toContain(id);
  });

  it('changes of a deleted domain can be read for the same time', async () => {
    const { id } = await createDomain(api);
    await api.call('delete', `/v1/domains/${id}`).expect(200);
    const response = await api.call('get', `/v1/domains/${id}/changes`).expect(200);
    expect(response.body).toMatchObject({
      changes: [{ action: 'domain-delete' }, { action: 'domain-create' }],
    });
    expect((await api.callAs('token-b', 'get', `/v1/domains/${id}/changes`)).status).toBe(404);
    expect((await api.call('get', `/v1/domains/${id}`)).status).toBe(404);
    await api.db.raw(
      `update dns.domains set deleted_at = now() - interval '31 days' where id = ?`,
      [id],
    );
    expect((await api.call('get', `/v1/domains/${id}/changes`)).status).toBe(404);
  });
});

describe('Counts and last changes', () => {
  it('extended=true shows the number of records in each domain, and its last author; otherwise neither is shown', async () => {
    const zone = await createDomain(api);
    const record = { name: zone.name, type: 'A', data: '192.0.2.1' };
    await createRecord(api, zone.id, record);
    const response = await api.call('get', `/v1/domains?extended=true&name=${zone.name}`);
    expect(response.body).toMatchObject({
      domains: [
        {
          id: zone.id,
          record_count: 1,
          last_change: {
            at: expect.stringMatching(/\.\d{6}$/),
            user_id: 'user-a',
            user_name: null,
          },
        },
      ],
    });
    const plain = await api.call('get', `/v1/domains?name=${zone.name}`);
    expect(Object.keys((plain.body as { domains: object[] }).domains[0] ?? {})).toEqual(
      Object.keys(zone),
    );
  });

  it("total=true counts the complete list, by filter, by owner, and by the key's rights", async () => {
    const seen = await createDomain(api, { name: 'seen.example.' });
    for (const data of ['192.0.2.1', '192.0.2.2']) {
      await createRecord(api, seen.id, { name: seen.name, type: 'A', data });
    }
    const total = async (path: string, token = 'token-a') =>
      (await api.callAs(token, 'get', path).expect(200)).headers['x-total-count'];
    const whole = await api.call('get', '/v1/domains');
    const count = (whole.body as { domains: unknown[] }).domains.length;
    expect(await total('/v1/domains?total=true&limit=1')).toBe(String(count));
    expect(await total('/v1/domains?total=true&name=seen.example')).toBe('1');
    expect(await total('/v1/domains?total=true', 'token-key')).toBe('1');
    expect(await total('/v1/domains')).toBeUndefined();
    const records = `/v1/domains/${seen.id}/records`;
    expect(await total(`${records}?total=true&limit=1`)).toBe('2');
    expect(await total(`${records}?total=true&data=192.0.2.2`)).toBe('1');
    expect((await api.call('get', `${records}?total=maybe`)).status).toBe(400);
  });

  it('limits show the usage and servers their addresses on request', async () => {
    await api.db.raw(
      `insert into dns.servers (name, position, ipv4, ipv6) values ('ns1.dns.example.', 1, '192.0.2.53', '2001:db8::53')`,
    );
    const zone = await createDomain(api, {}, 'token-b');
    const limits = await api.callAs('token-b', 'get', '/v1/limits?extended=true');
    expect(limits.body).toMatchObject({ limits: { used: { domains: 1, records: 0 } } });
    const servers = (query: string) =>
      api.callAs('token-b', 'get', `/v1/domains/${zone.id}/servers${query}`);
    expect((await servers('?extended=true')).body).toMatchObject({
      servers: [{ ipv4: '192.0.2.53', ipv6: '2001:db8::53' }],
    });
    expect((await servers('')).body).not.toHaveProperty('servers.0.ipv4');
  });
});

describe('Link (RFC 8288)', () => {
  // Another test has changed the nameservers, which increases serials in the background.
  beforeAll(async () => {
    await waitFor(async () => {
      const { rows } = await api.db.raw<{ rows: unknown[] }>(
        `select from dns.domains as d
          where d.deleted_at is null and d.apex_version < (select max(v.version) from dns.apex_versions as v) limit 1`,
      );
      return rows.length === 0;
    }, 60_000);
  }, 70_000);

  it.each(['domains', 'records'])(
    'leads through all pages of %s, and the last page has no link',
    async (what) => {
      const zone = await createDomain(api);
      for (let n = 1; n <= 5; n += 1) {
        if (what === 'domains') await createDomain(api);
        else await createRecord(api, zone.id, { name: zone.name, type: 'A', data: `192.0.2.${n}` });
      }
      const path = what === 'domains' ? '/v1/domains' : `/v1/domains/${zone.id}/records`;
      const whole = await api.call('get', path).expect(200);
      expect(whole.headers).not.toHaveProperty('link');
      const all = (whole.body as Record<string, { id: string }[]>)[what] ?? [];
      const found: { id: string }[] = [];
      for (let next: string | undefined = `${path}?limit=2&total=true`; next !== undefined;) {
        const page = await api.call('get', next).expect(200);
        expect(page.headers['x-total-count']).toBe(String(all.length));
        found.push(...((page.body as Record<string, { id: string }[]>)[what] ?? []));
        const url = nextOf(page.headers);
        expect(url?.origin ?? api.url).toBe(api.url);
        next = url && url.pathname + url.search;
      }
      expect(found).toEqual(all);
    },
  );

  it('exists even if the records of a page are too large to be read at a time', async () => {
    const zone = await createDomain(api);
    const operations = Array.from({ length: 8 }, (_, n) => ({
      action: 'create',
      record: {
        name: `t${n}.${zone.name}`,
        type: 'TXT',
        data: `"${'x'.repeat(250)}" `.repeat(200).trim(),
      },
    }));
    await api
      .call('post', `/v1/domains/${zone.id}/batch`, { operations: operations.slice(0, 4) })
      .expect(200);
    await api.db.raw(
      `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, created_at)
       select domain_id, n || name, type, repeat('x', 200000), rdata, rdata_digest, now() + make_interval(secs => n)
         from dns.records, generate_series(1, 5) as n where domain_id = ?`,
      [zone.id],
    );
    const path = `/v1/domains/${zone.id}/records`;
    const page = await api.call('get', `${path}?limit=20`).expect(200);
    const { records } = page.body as { records: ListedRecordBody[] };
    expect(records).toHaveLength(20);
    expect(nextOf(page.headers)?.searchParams.get('marker')).toBe(records.at(-1)?.id);
  });
});

describe('ETag of lists of records, and If-None-Match (RFC 9110 s13.1.2)', () => {
  it('returns 304 without a body while the domain is unchanged, however it is answered', async () => {
    const zone = await createDomain(api);
    const record = { name: zone.name, type: 'A', data: '192.0.2.1' };
    await createRecord(api, zone.id, record);
    const path = `/v1/domains/${zone.id}/records`;
    for (const query of ['', '?limit=1', '?effective_ttl=true', '?total=true']) {
      const first = await api.call('get', path + query).expect(200);
      const { etag = '' } = first.headers as { etag?: string };
      expect(etag).toMatch(/^W\/"\d+-[0-9a-f]{16}"$/);
      for (const tag of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
        const again = await api.call('get', path + query).set('If-None-Match', tag);
        expect([query, tag, again.status, again.text]).toEqual([query, tag, 304, '']);
        expect(again.headers).not.toHaveProperty('content-length');
        expect(again.headers['etag']).toBe(etag);
      }
      const other = await api.call('get', path + query).set('If-None-Match', '"other"');
      expect(other.status).toBe(200);
    }
    const { etag = '' } = (await api.call('get', path)).headers as { etag?: string };
    await api.callAs('token-b', 'get', path).set('If-None-Match', etag).expect(404);
    await createRecord(api, zone.id, { ...record, data: '192.0.2.2' });
    const changed = await api.call('get', path).set('If-None-Match', etag);
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('applies to a domain and a record, too', async () => {
    const zone = await createDomain(api);
    const path = `/v1/domains/${zone.id}`;
    const first = await api.call('get', path);
    const { etag = '' } = first.headers as { etag?: string };
    expect((await api.call('get', path).set('If-None-Match', etag)).status).toBe(304);
    await api.call('put', path, { ttl: 7 }).expect(200);
    expect((await api.call('get', path).set('If-None-Match', etag)).status).toBe(200);
  });
});
