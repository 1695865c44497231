import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  type ListedRecordBody,
} from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

let zone: DomainBody;
const created: ListedRecordBody[] = [];
beforeAll(async () => {
  zone = await createDomain(api);
  for (const [owner, type, data] of [
    ['www', 'A', '192.0.2.1'],
    ['www', 'A', '192.0.2.2'],
    ['www', 'TXT', 'text'],
    ['ftp', 'A', '192.0.2.1'],
  ] as const) {
    const record = await createRecord(api, zone.id, { name: `${owner}.${zone.name}`, type, data });
    created.push({ ...record, tenant_id: 'tenant-a', version: 1 });
  }
});

async function list(query = '', id = zone.id): Promise<ListedRecordBody[]> {
  const response = await api.call('get', `/v1/domains/${id}/records${query}`).expect(200);
  return (response.body as { records: ListedRecordBody[] }).records;
}

describe('?effective_ttl=true (D-ZONE)', () => {
  interface EffectiveBody extends ListedRecordBody {
    readonly effective_ttl?: number;
  }
  const effective = async (id: string, query: string) => {
    const response = await api.call('get', `/v1/domains/${id}/records${query}`).expect(200);
    const { records } = response.body as { records: EffectiveBody[] };
    return records.map(({ type, ttl, effective_ttl: answered }) => [type, ttl, answered]);
  };

  it("shows the TTL in the nameservers' answers on request", async () => {
    const { id, name } = await createDomain(api, { ttl: 600 });
    const www = { name: `www.${name}`, type: 'A' };
    await createRecord(api, id, { ...www, data: '192.0.2.1', ttl: 60 });
    await createRecord(api, id, { ...www, data: '192.0.2.2' });
    await createRecord(api, id, { ...www, type: 'TXT', data: 'x' });
    await createRecord(api, id, { name, type: 'NS', data: 'ns.partner.example.', ttl: 7_200 });
    const all = [
      ['A', 60, 60],
      ['A', null, 60],
      ['TXT', null, 600],
      ['NS', 7_200, 600],
    ];
    expect(await effective(id, '?effective_ttl=true')).toEqual(all);
    expect(await effective(id, '?effective_ttl=true&limit=1&type=A&data=192.0.2.2')).toEqual([
      ['A', null, 60],
    ]);
    const plain = await api.call('get', `/v1/domains/${id}/records`).expect(200);
    expect(JSON.stringify(plain.body)).not.toContain('effective_ttl');
  });
});

describe('List Records in a Domain (DNS API s4)', () => {
  it('DNS API s2: returns all records, oldest first, each also with tenant_id and version', async () => {
    expect(await list()).toEqual(created);
  });

  it('D-ZONE-38: python-designateclient, which rejects both members, does not get them', async () => {
    const plain = created.map((record) => ({
      ...record,
      tenant_id: undefined,
      version: undefined,
    }));
    const path = `/v1/domains/${zone.id}/records`;
    const ask = (userAgent: string) => api.call('get', path).set('User-Agent', userAgent);
    // The query runs twice, because the second response comes from the cache.
    for (let time = 0; time < 2; time += 1) {
      const refusing = await ask('python-designateclient').expect(200);
      expect(refusing.body).toEqual({ records: plain });
      expect(refusing.text).not.toMatch(/tenant_id|version/);
      const other = await ask('curl/8.0').expect(200);
      expect(other.body).toEqual({ records: created });
    }
  });

  it('D-ZONE-6: python-designateclient up to 1.1.0 is python-requests, as other programs, and gets them', async () => {
    const response = await api
      .call('get', `/v1/domains/${zone.id}/records`)
      .set('User-Agent', 'python-requests/2.2.1 CPython/2.7.6 Linux/3.13.0')
      .expect(200);
    expect(response.body).toEqual({ records: created });
  });

  it('D-REC-14: contains no SOA and no NS that the service itself provides', async () => {
    const { id } = await createDomain(api);
    expect(await list('', id)).toEqual([]);
  });

  it('D-ZONE: limit and marker select pages of the list', async () => {
    expect(await list('?limit=3')).toEqual(created.slice(0, 3));
    expect(await list(`?marker=${created[2]?.id ?? ''}&limit=3`)).toEqual(created.slice(3));
  });

  it('D-ZONE: name, type and data filter the list, also together', async () => {
    const www = `www.${zone.name}`;
    expect(await list(`?name=${www.toUpperCase()}`)).toEqual(created.slice(0, 3));
    expect(await list('?type=txt')).toEqual([created[2]]);
    expect(await list('?data=192.0.2.1')).toEqual([created[0], created[3]]);
    expect(await list(`?name=${www}&type=A&data=192.0.2.2`)).toEqual([created[1]]);
  });

  it.each([
    'type=SOA',
    'type=',
    'name=',
    'data=',
    'limit=',
    'marker=',
    'limit=-1',
    'marker=00000000-0000-0000-0000-000000000000',
  ])('D-ZONE: %s is refused', async (query) => {
    const response = await api.call('get', `/v1/domains/${zone.id}/records?${query}`);
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors[0]?.path).toBe(query.split('=')[0]);
  });

  it('without a limit the whole list is returned, also beyond one chunk', async () => {
    const { id, name } = await createDomain(api);
    await api.db.raw(
      `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
       select ?::uuid, 'r' || n || '.' || ?::text, 'A', '192.0.2.1', '\\xc0000201', sha256('x')
         from generate_series(1, 3000) as n`,
      [id, name],
    );
    const records = await list('', id);
    expect(new Set(records.map((record) => record.name)).size).toBe(3000);
  });
});

describe('DNS_API_LISTS_SHOW_TENANT=false', () => {
  const plainApi = useApi({ env: { DNS_API_LISTS_SHOW_TENANT: 'false' } });

  it('D-ZONE: lists contain no tenant_id and no version for any client', async () => {
    const { id, name } = await createDomain(plainApi);
    const record = await createRecord(plainApi, id, { name, type: 'A', data: '192.0.2.1' });
    const response = await plainApi.call('get', `/v1/domains/${id}/records`).expect(200);
    expect(response.body).toStrictEqual({ records: [record] });
  });
});
