import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  readDomain,
  type RecordBody,
} from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

let zone: DomainBody;
beforeAll(async () => {
  zone = await createDomain(api);
});

let owners = 0;
async function newRecord(members: object = {}): Promise<RecordBody> {
  owners += 1;
  const defaults = { name: `r${owners}.${zone.name}`, type: 'A', data: '192.0.2.1' };
  return await createRecord(api, zone.id, { ...defaults, ...members });
}

const put = (id: string, body: object) =>
  api.call('put', `/v1/domains/${zone.id}/records/${id}`, body);

describe('Update Record (DNS API s4)', () => {
  it('DNS API s4: returns 200 with the modified record', async () => {
    const record = await newRecord();
    const change = { data: '192.0.2.2', ttl: 60, description: 'moved' };
    const response = await put(record.id, change);
    const { status } = response;
    const body = response.body as RecordBody;
    expect(status).toBe(200);
    expect(body).toEqual({ ...record, ...change, updated_at: expect.any(String) });
    expect(response.headers['etag']).toBe('"2"');
    const read = await api.call('get', `/v1/domains/${zone.id}/records/${record.id}`);
    expect(read.body).toEqual(body);
  });

  it('D-ZONE-3: a record may change name and type too', async () => {
    const record = await newRecord();
    const change = { name: `moved.${zone.name}`, type: 'MX', data: 'mx.example.net.', priority: 5 };
    const response = await put(record.id, change).expect(200);
    expect(response.body).toMatchObject({ id: record.id, ...change });
  });

  it('D-ZONE-3: a full object as it was read is accepted, its read-only members ignored', async () => {
    const record = { ...(await newRecord()), tenant_id: 'tenant-b', version: 5 };
    const response = await put(record.id, { ...record, ttl: 7 }).expect(200);
    expect(response.body).toMatchObject({ id: record.id, ttl: 7 });
    expect(response.headers['etag']).toBe('"2"');
  });

  it('D-ZONE-3: validates the whole record, including omitted members', async () => {
    const record = await newRecord();
    const response = await put(record.id, { type: 'MX' });
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors.map(({ path }) => path).sort()).toEqual([
      'data',
      'priority',
    ]);
  });

  it('D-ZONE-33: increases with a change and stays without one', async () => {
    const record = await newRecord();
    const { serial } = await readDomain(api, zone.id);
    await put(record.id, { ...record }).expect(200);
    expect((await readDomain(api, zone.id)).serial).toBe(serial);
    await put(record.id, { ttl: 1 }).expect(200);
    expect((await readDomain(api, zone.id)).serial).toBeGreaterThan(serial);
  });

  it('D-REC: an update to the content of another record gets 409', async () => {
    const one = await newRecord();
    const two = await newRecord({ name: one.name, data: '192.0.2.9' });
    const response = await put(two.id, { data: one.data });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ type: 'duplicate_record' });
  });

  it('RFC 1034 s3.6.2: an update to a CNAME beside others is refused, alone it is not', async () => {
    const one = await newRecord();
    const two = await newRecord({ name: one.name, data: '192.0.2.9' });
    const alias = { type: 'CNAME', data: 'www.example.net.' };
    expect((await put(one.id, alias)).status).toBe(400);
    await api.call('delete', `/v1/domains/${zone.id}/records/${two.id}`).expect(200);
    expect((await put(one.id, alias)).status).toBe(200);
  });

  it('D-ZONE-39: If-Match gives 412 if the record has changed in the meantime', async () => {
    const { id } = await newRecord();
    await put(id, { ttl: 1 }).set('If-Match', '"1"').expect(200);
    const late = await put(id, { ttl: 2 }).set('If-Match', '"1"');
    expect(late.status).toBe(412);
    expect((await put(id, { ttl: 2 }).set('If-Match', 'W/"2"')).status).toBe(412);
    expect((await put(id, { ttl: 2 }).set('If-Match', '"9", "2"')).status).toBe(200);
    expect((await put(id, { ttl: 3 }).set('If-Match', '*')).status).toBe(200);
  });
});

describe('ADR 0044: changes of records that come together', () => {
  const at = (id: string) => `/v1/domains/${zone.id}/records/${id}`;
  const inAll = <T>(count: number, make: (index: number) => PromiseLike<T>) =>
    Promise.all(Array.from({ length: count }, async (_, index) => await make(index)));

  /** Sends a change, and repeats it if it waited too long on a busy machine, as a client does. */
  const putInTurn = (id: string, body: object) =>
    waitFor(async () => {
      const answer = await put(id, body);
      return answer.status !== 503 && answer;
    });

  it('each has its own serial and version', async () => {
    const { id } = await newRecord();
    const answers = await inAll(20, (index) => putInTurn(id, { ttl: 100 + index }));
    const serials = answers.map(({ headers }) => Number(headers['x-zonewright-serial']));
    expect(new Set(serials).size).toBe(20);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const tags = answers.map(({ headers }) => headers['etag'] as string);
    expect([...tags].sort()).toEqual(Array.from({ length: 20 }, (_, at) => `"${at + 2}"`).sort());
    const last = answers[serials.indexOf(Math.max(...serials))];
    expect((await api.call('get', at(id))).body).toEqual(last?.body);
  });

  it('the first of several that name one version succeeds, also beside deletions', async () => {
    const { id } = await newRecord();
    const answers = await inAll(10, (index) =>
      (index % 2 === 0 ? put(id, { ttl: 100 + index }) : api.call('delete', at(id))).set(
        'If-Match',
        '"1"',
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 404, 412].includes(status))).toBe(true);
  });

  it('a record that is renamed in the meantime is found under its new name', async () => {
    const { id } = await newRecord();
    const answers = await inAll(10, (index) =>
      put(id, index % 2 === 0 ? { name: `n${index}.${zone.name}` } : { ttl: 100 + index }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  it('one of several that would become equal succeeds', async () => {
    const records = await inAll(5, (index) => newRecord({ data: `192.0.2.${index + 10}` }));
    const content = { name: `same.${zone.name}`, data: '192.0.2.99' };
    const answers = await inAll(5, (index) => put(records[index]?.id ?? '', content));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('a record below a new child domain can be edited, but none can be moved there', async () => {
    const inside = await newRecord({ name: `www.child${owners}.${zone.name}` });
    const outside = await newRecord();
    const child = inside.name.slice('www.'.length);
    await createDomain(api, { name: child });
    expect((await put(inside.id, { ttl: 60 })).status).toBe(200);
    const moved = await put(outside.id, { name: `other.${child}` });
    expect(moved.status).toBe(400);
    expect((moved.body as ErrorBody).errors).toMatchObject([{ path: 'name' }]);
  });

  it('if a name has more records than are read for all, each change is made separately', async () => {
    const name = `many.${zone.name}`;
    // An RRset fits into one message, so one type is not enough for this size.
    const data = `\\# 60000 ${'ab'.repeat(60_000)}`;
    for (let number = 65_280; number < 65_290; number += 1) {
      const record = { name, type: `TYPE${number}`, data };
      await api.call('post', `/v1/domains/${zone.id}/records?all_types=true`, record).expect(200);
    }
    const { id } = await newRecord({ name });
    const answers = await inAll(3, (index) => put(id, { ttl: 60 + index }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await api.call('delete', at(id))).status).toBe(200);
  });

  it('an unknown record gets 404, whatever its id is', async () => {
    const { id } = await newRecord();
    await api.call('delete', at(id)).expect(200);
    for (const missing of [id, 'none', '00000000-0000-4000-8000-000000000000']) {
      expect((await put(missing, { ttl: 1 })).status).toBe(404);
      expect((await api.call('delete', at(missing))).status).toBe(404);
    }
  });
});

describe('X-Zonewright-Warning (D-ZONE-110 TTLs)', () => {
  const warningOf = async (call: PromiseLike<{ status: number; headers: object }>) => {
    const { status, headers } = await call;
    expect(status).toBe(200);
    return (headers as Record<string, unknown>)['x-zonewright-warning'];
  };

  it('RFC 2181 s5.2: is on a write that leaves records of one name and type with several TTLs', async () => {
    const own = await createDomain(api, { ttl: 600 });
    const path = `/v1/domains/${own.id}/records`;
    const www = (data: string, ttl: number | null) => ({
      ...{ name: `www.${own.name}`, type: 'A' },
      data,
      ttl,
    });
    expect(await warningOf(api.call('post', path, www('192.0.2.1', null)))).toBeUndefined();
    const same = api.call('post', path, www('192.0.2.2', 600));
    expect(await warningOf(same)).toBeUndefined();
    const other = { ...www('192.0.2.3', 60), type: 'TXT' };
    expect(await warningOf(api.call('post', path, other))).toBeUndefined();
    const mixed = www('192.0.2.3', 60);
    expect(await warningOf(api.call('post', `${path}?dry_run=true`, mixed))).toBe('mixed-ttl');
    const created = await api.call('post', path, mixed).expect(200);
    expect(created.headers['x-zonewright-warning']).toBe('mixed-ttl');
    const { id } = created.body as { id: string };
    const mended = api.call('put', `${path}/${id}`, { ttl: null });
    expect(await warningOf(mended)).toBeUndefined();
    const operations = [
      { action: 'create', record: www('192.0.2.8', 60) },
      { action: 'create', record: www('192.0.2.9', 60) },
    ];
    const batch = api.call('post', `/v1/domains/${own.id}/batch`, { operations });
    expect(await warningOf(batch)).toBe('mixed-ttl');
  });
});
