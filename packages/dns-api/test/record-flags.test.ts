import { beforeEach, describe, expect, it } from '@jest/globals';
import { DnsApiService } from '@zonewright/dns-api';
import { waitFor } from '@zonewright/testkit';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  type RecordBody,
  readDomain,
} from './support/fixtures.js';
import { fakeTokens } from './support/fake-tokens.js';
import { readRecordRows } from './support/journal.js';
import { testSettings, useApi } from './support/use-api.js';

const api = useApi({
  env: { DNS_API_MAX_DOMAINS: '1000', DNS_API_MAX_DOMAIN_RECORDS: '20' },
});

interface FlaggedBody extends RecordBody {
  readonly disabled: boolean;
  readonly expires_at: string | null;
  readonly tags: readonly string[];
}

const NO_FLAGS = { disabled: false, expires_at: null, tags: [] };
const IN_2099 = '2099-01-31T12:00:00.000000';

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const path = (rest: string) => `/v1/domains/${zone.id}${rest}`;
const content = (owner: string, more: object = {}) => ({
  ...{ name: `${owner}.${zone.name}`, type: 'A', data: '192.0.2.1' },
  ...more,
});
const add = async (owner: string, more: object = {}) =>
  (await createRecord(api, zone.id, content(owner, more))) as FlaggedBody;
const put = (id: string, body: object) => api.call('put', path(`/records/${id}`), body);
const list = async (query = '?extended=true') => {
  const response = await api.call('get', path(`/records${query}`)).expect(200);
  return (response.body as { records: FlaggedBody[] }).records;
};
const exportZone = async () => {
  const response = await api.call('get', path('/zonefile')).expect(200);
  return response.text.replace(/(\tSOA\t\S+ \S+) \d+/, '$1');
};
const namesOf = (records: readonly RecordBody[]) => records.map(({ name }) => name.split('.')[0]);
const served = async () =>
  (await readRecordRows(api.db, zone.id)).map(({ name }) => String(name).split('.')[0]).sort();
const step = async (body: object) => {
  const response = await api.call('post', path('/batch?extended=true'), body).expect(200);
  return response.body as { serial: number; results: { record: FlaggedBody | null }[] };
};
const revert = (serial: number) => api.call('post', path(`/changes/${serial}/revert?confirm=true`));

describe('flags of records (Beyond the specification)', () => {
  it('are shown only to clients that request them or write one', async () => {
    const plain = await add('plain');
    expect(plain).not.toHaveProperty('disabled');
    const tagged = await add('tagged', {
      tags: ['web', 'prod', 'web'],
      expires_at: '2099-01-31T13:00+01:00',
    });
    expect(tagged).toMatchObject({ disabled: false, expires_at: IN_2099, tags: ['prod', 'web'] });
    for (const record of await list('')) expect(record).not.toHaveProperty('tags');
    const [one, two] = await list();
    expect(one).toMatchObject(NO_FLAGS);
    expect(two).toMatchObject({ tags: ['prod', 'web'], expires_at: IN_2099 });
    const unasked = await api.call('get', path(`/records/${tagged.id}`)).expect(200);
    expect(unasked.body).not.toHaveProperty('tags');
    const asked = await api.call('get', path(`/records/${tagged.id}?extended=true`)).expect(200);
    expect(asked.body).toMatchObject({ tags: ['prod', 'web'] });
  });

  it('stay unchanged if a change does not mention them', async () => {
    const record = await add('www', { tags: ['web'], expires_at: `${IN_2099}Z` });
    await put(record.id, { ttl: 60 }).expect(200);
    const [changed] = await list();
    expect(changed).toMatchObject({ ttl: 60, tags: ['web'], expires_at: IN_2099 });
    const same = await put(record.id, { tags: ['web'] }).expect(200);
    expect((await readDomain(api, zone.id)).serial).toBe(
      Number(same.headers['x-zonewright-serial']),
    );
    await put(record.id, { tags: [], expires_at: null }).expect(200);
    expect((await list())[0]).toMatchObject(NO_FLAGS);
  });

  it.each([
    [{ disabled: 'yes' }, 'disabled'],
    [{ disabled: null }, 'disabled'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2099-02-31T99:00Z' }, 'expires_at'],
    [{ expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: 4_102_444_800 }, 'expires_at'],
    [{ tags: 'web' }, 'tags'],
    [{ tags: ['a b'] }, 'tags'],
    [{ tags: ['a,b'] }, 'tags'],
    [{ tags: ['x'.repeat(41)] }, 'tags'],
    [{ tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'tags'],
    [{ tags: [''] }, 'tags'],
  ])('refuses %j', async (flags, member) => {
    const response = await api.call('post', path('/records'), content('www', flags)).expect(400);
    expect((response.body as ErrorBody).errors).toMatchObject([{ path: member }]);
    expect(await list()).toEqual([]);
  });

  it('finds records by a tag, including disabled ones', async () => {
    await add('one', { tags: ['web'] });
    await add('two', { tags: ['web', 'old'], disabled: true });
    await add('three', { tags: ['webs'] });
    expect(namesOf(await list('?tag=web'))).toEqual(['one', 'two']);
    expect(namesOf(await list('?tag=old'))).toEqual(['two']);
    expect(await list('?tag=none')).toEqual([]);
  });
});

describe('a disabled record', () => {
  it('is not part of the zone, and is restored unchanged', async () => {
    const record = await add('www', { tags: ['web'] });
    const before = (await readDomain(api, zone.id)).serial;
    const off = await put(record.id, { disabled: true }).expect(200);
    expect(off.body).toMatchObject({ id: record.id, disabled: true, tags: ['web'] });
    expect((await readDomain(api, zone.id)).serial).toBeGreaterThan(before);
    expect(await served()).toEqual([]);
    expect(await list('')).toEqual([]);
    expect(await list()).toMatchObject([{ id: record.id, disabled: true }]);
    await api.call('get', path(`/records/${record.id}`)).expect(404);
    await api.call('delete', path(`/records/${record.id}`)).expect(404);
    await put(record.id, { ttl: 60 }).expect(404);
    // A client that knows the record can change it like any other.
    await api.call('put', path(`/records/${record.id}?extended=true`), { ttl: 60 }).expect(200);
    await put(record.id, { disabled: false }).expect(200);
    expect(await list('')).toMatchObject([{ id: record.id, ttl: 60 }]);
    expect(await served()).toEqual(['www']);
    await put(record.id, { disabled: true }).expect(200);
    await api.call('delete', path(`/records/${record.id}?extended=true`)).expect(200);
    expect(await list()).toEqual([]);
  });

  it('may be beside any record, and is checked when it is enabled', async () => {
    const alias = await add('www', { type: 'CNAME', data: 'other.example.', disabled: true });
    await add('www');
    const refused = await put(alias.id, { disabled: false });
    expect([400, 409]).toContain(refused.status);
    const twin = await add('twin');
    await put(twin.id, { disabled: true }).expect(200);
    await add('twin');
    await put(twin.id, { disabled: false }).expect(409);
    expect(await served()).toEqual(['twin', 'www']);
  });

  it('is a comment in an exported zone file, and is not changed by imports', async () => {
    await add('on');
    await add('off', { disabled: true, data: '192.0.2.7' });
    const { text } = await api.call('get', path('/zonefile')).expect(200);
    expect(text).toMatch(/^; disabled: off\tIN\tA\t192\.0\.2\.7$/m);
    expect(text).toMatch(/^on\tIN\tA\t192\.0\.2\.1$/m);
    const response = await api
      .call('post', path('/import?mode=replace'))
      .set('Content-Type', 'text/dns')
      .send(text);
    expect(response.body).toMatchObject({ created: 0, deleted: 0 });
    expect(namesOf(await list())).toEqual(['on', 'off']);
  });

  it('counts like other records: at most half of the limit can be disabled, and all together cannot exceed the limit', async () => {
    const create = (owner: string, more: object) => ({
      action: 'create',
      record: content(owner, more),
    });
    const off = Array.from({ length: 10 }, (_, at) => create(`off${at}`, { disabled: true }));
    await step({ operations: off });
    const eleventh = await api.call('post', path('/records'), content('more', { disabled: true }));
    expect(eleventh.status).toBe(413);
    const on = Array.from({ length: 10 }, (_, at) => create(`on${at}`, {}));
    await step({ operations: on });
    await api.call('post', path('/records'), content('more')).expect(413);
    const [first] = await list();
    await put(first?.id ?? '', { disabled: false }).expect(200);
    await api.call('post', path('/records'), content('more')).expect(413);
  });

  it('needs the same confirmation as the deletion of as many records', async () => {
    const operations = Array.from({ length: 10 }, (_, at) => ({
      action: 'create',
      record: content(`r${at}`),
    }));
    const { results } = await step({ operations });
    const off = results.slice(0, 4).map(({ record }) => ({
      ...{ action: 'update', id: record?.id, record: { disabled: true } },
    }));
    await api.call('post', path('/batch'), { operations: off }).expect(400);
    await step({ operations: off, confirm: true });
    expect(await served()).toHaveLength(6);
  });

  it('stays disabled, and others keep their flags, when Designate v2 changes the recordset', async () => {
    await add('www', { tags: ['kept'] });
    await add('www', { data: '192.0.2.2', disabled: true });
    const sets = await api.call('get', `/v2/zones/${zone.id}/recordsets?type=A`).expect(200);
    const [set] = (sets.body as { recordsets: { id: string; records: string[] }[] }).recordsets;
    expect(set?.records).toEqual(['192.0.2.1']);
    await api
      .call('put', `/v2/zones/${zone.id}/recordsets/${set?.id}`, {
        ttl: 77,
        records: ['192.0.2.1', '192.0.2.3'],
      })
      .expect(202);
    expect(await list()).toMatchObject([
      { data: '192.0.2.1', ttl: 77, tags: ['kept'], disabled: false },
      { data: '192.0.2.2', disabled: true },
      { data: '192.0.2.3', tags: [] },
    ]);
  });
});

describe('the history of flags', () => {
  it('includes flags: each step is reverted, and a restore returns the earlier zone with them', async () => {
    const long = 'x'.repeat(1_500);
    const data = (text: string) =>
      (text.match(/.{1,200}/g) ?? []).map((part) => `"${part}"`).join(' ');
    const record = await add('www', { type: 'TXT', data: data(long), tags: ['web'] });
    const start = (await readDomain(api, zone.id)).serial;
    const before = { list: await list(), text: await exportZone() };
    const serials: number[] = [];
    const change = async (body: object) => {
      const response = await put(record.id, body).expect(200);
      serials.push(Number(response.headers['x-zonewright-serial']));
    };
    await change({ disabled: true });
    await change({ ttl: 60, disabled: true });
    await change({ tags: [], disabled: true });
    await change({ disabled: false });
    const gone = await api.call('delete', path(`/records/${record.id}`)).expect(200);
    serials.push(Number(gone.headers['x-zonewright-serial']));
    const history = await api.call('get', path('/changes?limit=100')).expect(200);
    const [last, enabling] = (history.body as { changes: { before: object; after: object }[] })
      .changes;
    expect(last?.before).toMatchObject({ data: data(long) });
    expect(enabling?.before).toMatchObject({ data: data(long), disabled: true });
    expect(enabling?.after).not.toHaveProperty('disabled');
    for (const serial of serials.toReversed()) await revert(serial).expect(200);
    const stable = (records: readonly object[]) =>
      records.map((each) => ({ ...each, version: 0, updated_at: null }));
    expect(stable(await list())).toEqual(stable(before.list));
    expect(await exportZone()).toBe(before.text);
    await put(record.id, { disabled: true }).expect(200);
    await put(record.id, { tags: ['x'], disabled: true }).expect(200);
    await api.call('post', path('/restore'), { serial: start, confirm: true }).expect(200);
    expect(stable(await list())).toEqual(stable(before.list));
  });

  it('shows in a preview the records that an undo would enable', async () => {
    const record = await add('www');
    const off = await put(record.id, { disabled: true }).expect(200);
    const serial = Number(off.headers['x-zonewright-serial']);
    const response = await api
      .call('post', path(`/changes/${serial}/revert?dry_run=true`))
      .expect(200);
    expect((response.body as { difference: object }).difference).toMatchObject({
      create: [],
      update: [{ before: { disabled: true }, after: { disabled: false } }],
      delete: [],
    });
  });
});

describe('the end of a record', () => {
  /** Lets the records expire. */
  const end = (ids: readonly string[]) =>
    Promise.all(
      ['dns.records', 'dns.disabled_records'].map((table) =>
        api.db.raw(
          `update ${table} set flags = jsonb_set(flags, '{expiresAt}', '"2020-01-01T00:00:00.000000"')
            where id = any(?::uuid[])`,
          [[...ids]],
        ),
      ),
    );

  it('deletes it once in a separate step, however many processes run, and can be undone', async () => {
    const other = DnsApiService.create(testSettings(api.databaseUrl), { tokens: fakeTokens });
    await other.start();
    try {
      const on = await add('on', { expires_at: `${IN_2099}Z`, tags: ['kept'] });
      const off = await add('off', { expires_at: `${IN_2099}Z`, disabled: true });
      await add('stays', { expires_at: `${IN_2099}Z` });
      const { serial } = await readDomain(api, zone.id);
      await end([on.id, off.id]);
      await waitFor(async () => (await list()).length === 1);
      expect(namesOf(await list())).toEqual(['stays']);
      const history = await api.call('get', path('/changes?extended=true')).expect(200);
      const { changes } = history.body as {
        changes: {
          serial_before: number;
          serial_after: number;
          action: string;
          source: string;
          user_id: string;
        }[];
      };
      const since = changes.filter(({ serial_after: after }) => after > serial);
      expect(since.map(({ action, source, user_id }) => `${action} ${source} ${user_id}`)).toEqual([
        'record-delete expiry expiry',
        'record-delete expiry expiry',
      ]);
      const ends = [...new Set(since.map(({ serial_after }) => serial_after))];
      for (const each of ends) await revert(each).expect(200);
      // A restored record stays, because its expiry time has passed.
      const back = (await list()).toSorted((one, two) => one.name.localeCompare(two.name));
      expect(back).toMatchObject([
        { id: off.id, disabled: true, expires_at: null },
        { id: on.id, disabled: false, expires_at: null, tags: ['kept'] },
        { expires_at: IN_2099 },
      ]);
    } finally {
      await other.stop();
    }
  });

  it('is not delayed by records of deleted domains, however many have expired', async () => {
    const gone = await createDomain(api);
    await api.call('delete', `/v1/domains/${gone.id}`).expect(200);
    // The number exceeds the zones that one search returns.
    await api.db.raw(
      `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, flags)
       select ?, 'r' || n || '.' || ?, 'A', '192.0.2.1', '\\xc0000201', '\\x00', '{"expiresAt": "2019-01-01T00:00:00.000000"}'
         from generate_series(1, 150) as n`,
      [gone.id, gone.name],
    );
    const { id } = await add('over', { expires_at: `${IN_2099}Z` });
    await end([id]);
    await waitFor(async () => (await list()).length === 0);
  });

  it('takes place within seconds of its time', async () => {
    const at = Date.now() + 1_000;
    await add('soon', { expires_at: new Date(at).toISOString() });
    await waitFor(async () => (await list()).length === 0);
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });
});
