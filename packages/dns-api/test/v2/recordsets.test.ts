import { beforeAll, describe, expect, it } from '@jest/globals';
import { createDomain, createRecord, type DomainBody } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi();

interface RecordsetBody {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly records: readonly string[];
  readonly ttl: number | null;
  readonly description: string | null;
  readonly version: number;
  readonly status: string;
  readonly action: string;
}

interface ListBody {
  readonly recordsets: readonly RecordsetBody[];
  readonly links: { readonly next?: string };
  readonly metadata: { readonly total_count: number };
}

interface ErrorBody {
  readonly message: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

let zone: DomainBody;
let base = '';

beforeAll(async () => {
  zone = await createDomain(api);
  base = `/v2/zones/${zone.id}/recordsets`;
});

const at = (label: string) => `${label}.${zone.name}`;

async function create(body: object): Promise<RecordsetBody> {
  const response = await api.call('post', base, body);
  expect({ status: response.status, body: response.body as unknown }).toMatchObject({
    status: 202,
  });
  return response.body as RecordsetBody;
}

async function listV1(name: string): Promise<{ id: string; version: number; data: string }[]> {
  const response = await api.call('get', `/v1/domains/${zone.id}/records?name=${name}`);
  return (response.body as { records: { id: string; version: number; data: string }[] }).records;
}

describe('Create Recordset (v2)', () => {
  it('its records are returned as they were written, in their order, and are records of v1', async () => {
    const records = ['"one"', 'two', '"three" "four"'];
    const made = await create({ name: at('text'), type: 'TXT', records, ttl: 60 });
    expect(made).toMatchObject({
      zone_id: zone.id,
      zone_name: zone.name,
      project_id: 'tenant-a',
      name: at('text'),
      type: 'TXT',
      records,
      ttl: 60,
      description: null,
      status: 'PENDING',
      action: 'CREATE',
      managed: false,
    });
    const shown = await api.call('get', `${base}/${made.id}`);
    expect(shown.body).toEqual({ ...made, updated_at: null });
    expect((await listV1(at('text'))).map(({ data }) => data)).toEqual(
      expect.arrayContaining(records),
    );
  });

  it('MX and SRV begin with their priority', async () => {
    const mx = await create({ name: at('m'), type: 'MX', records: ['10 mx.example.net.'] });
    expect(mx.records).toEqual(['10 mx.example.net.']);
    expect(await listV1(at('m'))).toMatchObject([{ data: 'mx.example.net.', priority: 10 }]);
    const name = `_sip._tcp.${zone.name}`;
    const srv = await create({ name, type: 'SRV', records: ['1 2 5060 sip.example.net.'] });
    expect(srv.records).toEqual(['1 2 5060 sip.example.net.']);
  });

  it.each([
    [{ name: 'x', type: 'A', records: ['192.0.2.1'], nonsense: 1 }, ['nonsense', 'name']],
    [{ name: '@', type: 'A', records: ['192.0.2.1', 'x'] }, ['records[1]']],
    [{ name: '@', type: 'A', records: [] }, ['records']],
    [{ name: '@', type: 'A' }, ['records']],
    [{ name: '@', type: 'A', records: [1] }, ['records[0]']],
    [{ name: '@', type: 'MX', records: ['mx.example.net.'] }, ['records[0]']],
    [{ name: '@', type: 'A', records: ['192.0.2.1', '192.0.2.1'] }, ['records[1]']],
    [{ name: 'www.example.net.', type: 'A', records: ['192.0.2.1'] }, ['name']],
    [{ name: '@', type: 'NONE', records: ['x'] }, ['type']],
    [{ name: '@', type: 'CNAME', records: ['a.example.', 'b.example.'] }, ['name']],
    [{ name: '@', type: 'A', records: ['192.0.2.1'], ttl: -1 }, ['ttl']],
  ])('%j is 400 with the paths %j', async (body, paths) => {
    const name = body.name === '@' ? at('bad') : body.name;
    const response = await api.call('post', base, { ...body, name });
    expect(response.status).toBe(400);
    const { errors, message } = response.body as ErrorBody;
    expect(errors.map(({ path }) => path)).toEqual(paths);
    // Designate's clients show only the message.
    expect(message).toBe(errors.map((problem) => problem.message).join('\n'));
  });

  it('an existing one is 409; a CNAME beside others is 400; over quota is 413', async () => {
    await create({ name: at('twice'), type: 'A', records: ['192.0.2.1'] });
    const again = { name: at('twice'), type: 'A', records: ['192.0.2.2'] };
    const twin = await api.call('post', base, again);
    expect([twin.status, twin.body]).toMatchObject([409, { type: 'duplicate_recordset' }]);
    const alias = { name: at('twice'), type: 'CNAME', records: ['a.example.'] };
    expect((await api.call('post', base, alias)).status).toBe(400);
    const records = Array.from({ length: 101 }, (_, octet) => `192.0.2.${octet}`);
    const many = await api.call('post', base, { name: at('many'), type: 'A', records });
    expect([many.status, many.body]).toMatchObject([413, { type: 'over_quota' }]);
  });

  it('the service provides SOA and NS at the apex: they are managed', async () => {
    const ns = { name: zone.name, type: 'NS', records: ['ns.example.net.'] };
    expect((await api.call('post', base, ns)).status).toBe(409);
    const listed = await api.call('get', `${base}?name=${zone.name}&type=SOA`);
    const [soa] = (listed.body as ListBody).recordsets;
    expect(soa).toMatchObject({ managed: true, type: 'SOA' });
    for (const method of ['put', 'delete'] as const) {
      const response = await api.call(method, `${base}/${soa?.id ?? ''}`, { ttl: 7 });
      expect(response.status).toBe(400);
      expect((response.body as { message: string }).message).toContain('Managed records');
    }
  });
});

describe('Update Recordset (v2)', () => {
  it('unchanged records keep their ids and versions of v1', async () => {
    const name = at('stay');
    const one = await createRecord(api, zone.id, { name, type: 'A', data: '192.0.2.1' });
    const two = await createRecord(api, zone.id, { name, type: 'A', data: '192.0.2.2' });
    const found = await api.call('get', `${base}?name=${name}`);
    const [recordset] = (found.body as ListBody).recordsets;
    const response = await api.call('put', `${base}/${recordset?.id ?? ''}`, {
      records: ['192.0.2.2', '192.0.2.3'],
    });
    expect(response.status).toBe(202);
    expect((response.body as RecordsetBody).records).toEqual(['192.0.2.2', '192.0.2.3']);
    const after = await listV1(name);
    expect(after).toHaveLength(2);
    expect(after.find(({ data }) => data === '192.0.2.2')).toMatchObject({
      id: two.id,
      version: 1,
    });
    expect(after.map(({ id }) => id)).not.toContain(one.id);
  });

  it('TTL and description apply to all records; a change without effect keeps the serial', async () => {
    const made = await create({ name: at('ttl'), type: 'A', records: ['192.0.2.1', '192.0.2.2'] });
    const path = `${base}/${made.id}`;
    const changed = await api.call('put', path, { ttl: 300, description: 'both' });
    expect(changed.body).toMatchObject({ ttl: 300, description: 'both', records: made.records });
    expect(await listV1(at('ttl'))).toMatchObject([
      { ttl: 300, description: 'both', version: 2 },
      { ttl: 300, description: 'both', version: 2 },
    ]);
    const same = await api.call('put', path, { ttl: 300 });
    expect(same.headers['x-zonewright-serial']).toBe(changed.headers['x-zonewright-serial']);
    expect((await api.call('put', path, { type: 'TXT' })).body).toMatchObject({
      errors: [{ path: 'type', validator: 'readOnly' }],
    });
  });

  it('a deletion returns the recordset, which is then gone', async () => {
    const made = await create({ name: at('gone'), type: 'A', records: ['192.0.2.1'] });
    const response = await api.call('delete', `${base}/${made.id}`);
    expect([response.status, response.body]).toMatchObject([
      202,
      { id: made.id, status: 'PENDING', action: 'DELETE' },
    ]);
    expect((await api.call('get', `${base}/${made.id}`)).body).toMatchObject({
      code: 404,
      type: 'recordset_not_found',
    });
    expect(await listV1(at('gone'))).toEqual([]);
  });
});

describe('List Recordsets (v2)', () => {
  it.each(['name', 'created_at'])('by %s, in both directions, page by page', async (key) => {
    const walk = async (direction: string) => {
      const seen: string[] = [];
      let target: string | undefined = `${base}?limit=2&sort_key=${key}&sort_dir=${direction}`;
      while (target !== undefined) {
        const { body } = (await api.call('get', target)) as { body: ListBody };
        seen.push(...body.recordsets.map(({ name, type }) => `${name} ${type}`));
        target = body.links.next?.slice(api.url.length);
        if (target === undefined) expect(body.metadata.total_count).toBe(seen.length);
      }
      return seen;
    };
    const up = await walk('asc');
    expect(up.length).toBeGreaterThan(5);
    expect(new Set(up).size).toBe(up.length);
    expect(up).toEqual(expect.arrayContaining([`${zone.name} SOA`]));
    expect(await walk('desc')).toEqual(up.toReversed());
  });

  it('filters, in which * matches any text', async () => {
    await create({ name: at('f1'), type: 'TXT', records: ['token-1'], description: 'mine' });
    await create({ name: at('f2'), type: 'MX', records: ['7 mx.example.net.'], ttl: 77 });
    const find = async (query: string) => {
      const { body } = (await api.call('get', `${base}?${query}`)) as { body: ListBody };
      expect(body.metadata.total_count).toBe(body.recordsets.length);
      return body.recordsets.map(({ name }) => name.split('.')[0]);
    };
    expect(await find(`name=f*.${zone.name}`)).toEqual(['f1', 'f2']);
    expect(await find('data=token-1')).toEqual(['f1']);
    expect(await find('data=token*')).toEqual(['f1']);
    expect(await find('data=7%20mx.example.net.')).toEqual(['f2']);
    expect(await find('description=m*e')).toEqual(['f1']);
    expect(await find('ttl=77')).toEqual(['f2']);
    expect(await find('type=mx&ttl=77')).toEqual(['f2']);
    expect(await find('type=SOA')).toHaveLength(1);
  });

  it('a recordset that is requested without its zone redirects to the path with it: 301', async () => {
    const { body } = (await api.call('get', `${base}?limit=3`)) as { body: ListBody };
    for (const { id } of body.recordsets) {
      const response = await api.call('get', `/v2/recordsets/${id}`).redirects(0);
      expect(response.status).toBe(301);
      expect(response.headers['location']).toBe(`${api.url}${base}/${id}`);
      expect((await api.callAs('token-b', 'get', `/v2/recordsets/${id}`)).status).toBe(404);
    }
  });
});
