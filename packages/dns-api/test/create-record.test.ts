import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  readDomain,
  type RecordBody,
} from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

let zone: DomainBody;
beforeAll(async () => {
  zone = await createDomain(api);
});

const path = () => `/v1/domains/${zone.id}/records`;

async function refuse(body: object, status = 400): Promise<ErrorBody> {
  const response = await api.call('post', path(), body).expect(status);
  return response.body as ErrorBody;
}

describe('Create Record (DNS API s4)', () => {
  it("DNS API s4: returns 200 with exactly the record's members, and an absolute Location", async () => {
    const name = `www.${zone.name}`;
    const response = await api.call('post', path(), { name, type: 'A', data: '192.0.2.1' });
    const record = response.body as RecordBody;
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['location']).toBe(
      `${api.url}/v1/domains/${zone.id}/records/${record.id}`,
    );
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name,
      type: 'A',
      data: '192.0.2.1',
      ttl: null,
      priority: null,
      description: null,
      domain_id: zone.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      updated_at: null,
    });
  });

  it.each([
    { type: 'NS', data: 'ns.example.net.' },
    { type: 'A', data: '192.0.2.7' },
    { type: 'AAAA', data: '2001:DB8:0:0::7' },
    { type: 'MX', data: 'mail.example.net.', priority: 10 },
    { type: 'TXT', data: 'v=spf1 -all' },
    { type: 'SRV', data: '0 5060 sip.example.net.', priority: 0, owner: '_sip._tcp' },
    { type: 'CNAME', data: 'www.example.net.', owner: 'alias' },
  ])('DNS API s2: $type is stored and returned as it was written', async (given) => {
    const { owner = `type-${given.type.toLowerCase()}`, ...members } = given;
    const record = await createRecord(api, zone.id, { name: `${owner}.${zone.name}`, ...members });
    expect(record).toMatchObject({ priority: null, ...members });
  });

  it("D-ZONE-33: a new record increases the domain's serial in the same transaction", async () => {
    const before = await readDomain(api, zone.id);
    await createRecord(api, zone.id, { name: zone.name, type: 'TXT', data: 'serial' });
    expect((await readDomain(api, zone.id)).serial).toBeGreaterThan(before.serial);
  });

  it('D-REC: a leading *. is allowed', async () => {
    const name = `*.${zone.name}`;
    expect(await createRecord(api, zone.id, { name, type: 'TXT', data: 'any' })).toMatchObject({
      name,
    });
  });

  it.each([
    ['sub.*', { type: 'A', data: '192.0.2.1' }],
    ['*.*', { type: 'TXT', data: 'any' }],
    ['_sip._tcp.*', { type: 'SRV', data: '5 5060 sip.example.net.', priority: 0 }],
    ['*.phones', { type: 'SRV', data: '5 5060 sip.example.net.', priority: 0 }],
  ])(
    'RFC 4592: %s is accepted alone, in a batch, and in an import of the export',
    async (label, members) => {
      const own = await createDomain(api, {});
      const record = { name: `${label}.${own.name}`, ...members };
      const path = `/v1/domains/${own.id}`;
      const { id } = await createRecord(api, own.id, record);
      const zonefile = await api.call('get', `${path}/zonefile`).set('Accept', 'text/dns');
      await api.call('delete', `${path}/records/${id}`).expect(200);
      const batch = await api.call('post', `${path}/batch`, {
        operations: [{ action: 'create', record }],
      });
      expect(batch.body).toMatchObject({ results: [{ status: 'done', record }] });
      const body = { zonefile: zonefile.text, mode: 'replace' };
      const kept = await api.call('post', `${path}/import`, body);
      expect(kept.body).toMatchObject({ created: 0, deleted: 0, unchanged: 1 });
    },
  );

  it('D-ZONE-7: reports all problems of a request at once', async () => {
    const body = await refuse({ name: 'x', type: 'MX', data: 'mail', ttl: -1, size: 1 });
    expect(body).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(body.errors.map((problem) => problem.path).sort()).toEqual([
      'data',
      'name',
      'priority',
      'size',
      'ttl',
    ]);
  });

  it('D-REC: a name outside the domain is an invalid_record_location', async () => {
    const body = await refuse({ name: 'www.example.org.', type: 'A', data: '192.0.2.1' });
    expect(body).toMatchObject({
      type: 'invalid_record_location',
      errors: [{ path: 'name', validator: 'insideDomain' }],
    });
  });

  it.each([
    ['MX', { data: 'mail.example.net.' }, 'required'],
    ['A', { data: '192.0.2.1', priority: 1 }, 'disallowed'],
  ])('DNS API s2: priority is required or disallowed for %s', async (type, members, validator) => {
    const body = await refuse({ name: zone.name, type, ...members });
    expect(body.errors).toMatchObject([{ path: 'priority', validator }]);
  });

  it('D-REC-11: the same name, type, data and priority again gets 409', async () => {
    const members = { name: `twin.${zone.name}`, type: 'MX', data: 'mx.example.net.' };
    await createRecord(api, zone.id, { ...members, priority: 1 });
    await createRecord(api, zone.id, { ...members, priority: 2 });
    const again = { ...members, data: 'MX.Example.net.', priority: 1 };
    expect(await refuse(again, 409)).toMatchObject({ code: 409, type: 'duplicate_record' });
  });

  it('D-REC-12: is refused at the apex', async () => {
    const body = await refuse({ name: zone.name, type: 'CNAME', data: 'www.example.net.' });
    expect(body).toMatchObject({
      type: 'invalid_record_location',
      errors: [{ path: 'name', validator: 'apex' }],
    });
  });

  it('RFC 1034 s3.6.2: a CNAME record is alone at its name', async () => {
    const name = `alone.${zone.name}`;
    const alias = { name, type: 'CNAME', data: 'www.example.net.' };
    await createRecord(api, zone.id, { name, type: 'A', data: '192.0.2.1' });
    expect(await refuse(alias)).toMatchObject({
      type: 'invalid_record_location',
      errors: [{ path: 'name', validator: 'alone' }],
    });

    const other = `aliased.${zone.name}`;
    await createRecord(api, zone.id, { ...alias, name: other });
    await refuse({ name: other, type: 'TXT', data: 'text' });
    await refuse({ ...alias, name: other, data: 'elsewhere.example.net.' });
  });

  it('D-REC-1: is refused inside a child domain that exists here', async () => {
    const child = await createDomain(api, { name: `child.${zone.name}` });
    for (const name of [child.name, `www.${child.name}`]) {
      expect(await refuse({ name, type: 'A', data: '192.0.2.1' })).toMatchObject({
        type: 'invalid_record_location',
        errors: [{ path: 'name', validator: 'childDomain' }],
      });
    }
    await createRecord(api, zone.id, { name: `xchild.${zone.name}`, type: 'A', data: '192.0.2.1' });
  });

  it('D-ZONE-36: a record above the limit gets over_quota, 413', async () => {
    const small = await createDomain(api, {}, 'token-b');
    await api.db.raw(
      `insert into dns.quotas (tenant_id, max_domain_records) values ('tenant-b', 1)`,
    );
    const create = (data: string) =>
      api.callAs('token-b', 'post', `/v1/domains/${small.id}/records`, {
        name: small.name,
        type: 'A',
        data,
      });
    await create('192.0.2.1').expect(200);
    const response = await create('192.0.2.2');
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ code: 413, type: 'over_quota' });
  });

  it("D-ZONE-12: another tenant's domain, or an invalid UUID, gets domain_not_found", async () => {
    const body = { name: zone.name, type: 'A', data: '192.0.2.1' };
    for (const [token, id] of [
      ['token-b', zone.id],
      ['token-a', 'no-uuid'],
    ] as const) {
      const response = await api.callAs(token, 'post', `/v1/domains/${id}/records`, body);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ type: 'domain_not_found' });
    }
  });
});
