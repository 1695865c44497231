import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ListedRecordBody,
  readDomain,
  type RecordBody,
} from './support/fixtures.js';
import { readJournal } from './support/journal.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });
const long = (text: string) => text.repeat(3_000);

let zone: DomainBody;
let record: RecordBody;
beforeEach(async () => {
  zone = await createDomain(api);
  record = await createRecord(api, zone.id, { name: zone.name, type: 'TXT', data: long('a') });
});

const path = (rest = '') => `/v1/domains/${zone.id}${rest}`;
const change = async (members: object) =>
  await api.call('put', path(`/records/${record.id}`), members).expect(200);
const serialNow = async () => (await readDomain(api, zone.id)).serial;

async function listImages() {
  const { body } = (await api.call('get', path('/changes')).expect(200)) as { body: unknown };
  return (body as { changes: { before: RecordBody | null; after: RecordBody | null }[] }).changes
    .slice(0, -1)
    .map(({ before, after }) => [before?.data, after?.data]);
}

async function data(): Promise<string[]> {
  const { body } = (await api.call('get', path('/records')).expect(200)) as { body: unknown };
  return (body as { records: ListedRecordBody[] }).records.map((each) => each.data);
}

describe('Long values stand in the journal once', () => {
  it('and its list still shows them in each image', async () => {
    await change({ ttl: 60 });
    await change({ data: long('b') });
    await change({ ttl: 61 });
    await change({ data: 'short' });
    await change({ data: long('c') });
    await api.call('delete', path(`/records/${record.id}`)).expect(200);
    expect(await listImages()).toEqual([
      [long('c'), undefined],
      ['short', long('c')],
      [long('b'), 'short'],
      [long('b'), long('b')],
      [long('a'), long('b')],
      [long('a'), long('a')],
      [undefined, long('a')],
    ]);
    const { body } = (await api.call('get', path('/changes'))) as { body: unknown };
    expect(JSON.stringify(body)).not.toMatch(/data_octets|data_is_kept/);
    const journal = JSON.stringify(await readJournal(api.db, zone.id));
    for (const letter of 'abc') expect(journal.split(long(letter))).toHaveLength(2);
  });

  it('a page that ends in between, and the value that the record has now', async () => {
    await change({ data: long('b') });
    await change({ ttl: 60 });
    const { body } = (await api.call('get', path('/changes?limit=1')).expect(200)) as {
      body: unknown;
    };
    expect((body as { changes: { after: RecordBody }[] }).changes[0]?.after.data).toBe(long('b'));
    expect(await listImages()).toEqual([
      [long('b'), long('b')],
      [long('a'), long('b')],
      [undefined, long('a')],
    ]);
  });

  it('restore: restores a value that one change kept and a later one removed', async () => {
    const created = await serialNow();
    await change({ ttl: 60 });
    const kept = await serialNow();
    await change({ ttl: 61 });
    await change({ data: long('b') });
    await api.call('post', path('/restore'), { serial: kept }).expect(200);
    expect(await data()).toEqual([long('a')]);
    await change({ data: long('b') });
    await api.call('delete', path(`/records/${record.id}`)).expect(200);
    await api.call('post', path('/restore'), { serial: created, confirm: true }).expect(200);
    expect(await data()).toEqual([long('a')]);
  });

  it('images that an older release wrote can be read', async () => {
    await change({ data: long('b') });
    await api.db.raw(
      `update dns.zone_changes as c
          set before = c.before || jsonb_build_object('rdata', 'AAAA'),
              after = (c.after - 'data_octets') || jsonb_build_object('data', cast(? as text), 'rdata', 'AAAA')
        where c.domain_id = ? and c.action = 'record-update'`,
      [long('b'), zone.id],
    );
    await change({ data: long('c') });
    expect(await listImages()).toEqual([
      [long('b'), long('c')],
      [long('a'), long('b')],
      [undefined, long('a')],
    ]);
  });
});
