import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '@zonewright/testkit';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ListedRecordBody,
  type RecordBody,
} from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const clock = new FakeClock();
const api = useApi({ overrides: { clock } });

const recordsOf = (zone: DomainBody) => `/v1/domains/${zone.id}/records`;

async function list(zone: DomainBody, query = ''): Promise<ListedRecordBody[]> {
  const response = await api.call('get', `${recordsOf(zone)}${query}`).expect(200);
  return (response.body as { records: ListedRecordBody[] }).records;
}

async function zoneWithRecord(): Promise<{ zone: DomainBody; record: RecordBody }> {
  const zone = await createDomain(api);
  const record = await createRecord(api, zone.id, {
    name: zone.name,
    type: 'A',
    data: '192.0.2.1',
  });
  return { zone, record };
}

/** Changes a record without a new serial, which no program does. Only a cached list does not show this change. */
async function changeSecretly({ id }: RecordBody): Promise<void> {
  await api.db.raw('update dns.records set description = ? where id = ?', ['secret', id]);
}

describe('lists that are remembered (docs/design/performance.md)', () => {
  it('a list is read from the database once for a serial', async () => {
    const { zone, record } = await zoneWithRecord();
    expect(await list(zone)).toMatchObject([record]);
    await changeSecretly(record);
    expect(await list(zone)).toMatchObject([record]);
  });

  it('a list is cached for at most 10 s, because a failover that lost changes may use a serial twice', async () => {
    const { zone, record } = await zoneWithRecord();
    await list(zone);
    await changeSecretly(record);
    clock.advance(10_000);
    expect(await list(zone)).toMatchObject([{ ...record, description: 'secret' }]);
  });

  it('every change shows in the next list: create, update, delete, batch, restore', async () => {
    const { zone, record } = await zoneWithRecord();
    expect(await list(zone)).toHaveLength(1);
    const body = { name: zone.name, type: 'TXT', data: 'text' };
    const text = await createRecord(api, zone.id, body);
    expect(await list(zone)).toHaveLength(2);
    await api.call('put', `${recordsOf(zone)}/${text.id}`, { ttl: 7 }).expect(200);
    expect((await list(zone))[1]?.ttl).toBe(7);
    await api.call('delete', `${recordsOf(zone)}/${text.id}`).expect(200);
    expect(await list(zone)).toMatchObject([record]);
    const operations = [{ action: 'create', record: body }];
    await api.call('post', `/v1/domains/${zone.id}/batch`, { operations }).expect(200);
    expect(await list(zone)).toHaveLength(2);
    const restore = { serial: zone.serial, confirm: true };
    await api.call('post', `/v1/domains/${zone.id}/restore`, restore).expect(200);
    expect(await list(zone)).toEqual([]);
  });

  it('each query has a separate list', async () => {
    const { zone, record } = await zoneWithRecord();
    const second = await createRecord(api, zone.id, { name: zone.name, type: 'TXT', data: 'A' });
    expect(await list(zone)).toMatchObject([record, second]);
    expect(await list(zone, '?limit=1')).toMatchObject([record]);
    expect(await list(zone, `?limit=1&marker=${record.id}`)).toMatchObject([second]);
    expect(await list(zone, '?type=A')).toMatchObject([record]);
    expect(await list(zone, '?data=A')).toMatchObject([second]);
  });

  it('D-ZONE-12: a cached list is shown to nobody else, and to nobody after a deletion', async () => {
    const { zone } = await zoneWithRecord();
    await list(zone);
    await api.callAs('token-b', 'get', recordsOf(zone)).expect(404);
    await api.call('delete', `/v1/domains/${zone.id}`).expect(200);
    await api.call('get', recordsOf(zone)).expect(404);
    await api.call('post', `/v1/domains/${zone.id}/undelete`).expect(200);
    expect(await list(zone)).toHaveLength(1);
  });

  it('requests of many tenants and zones that arrive together each get their own', async () => {
    const zones = await Promise.all(
      ['token-a', 'token-b', 'token-a'].map((token) => createDomain(api, {}, token)),
    );
    const asked = await Promise.all(
      zones.flatMap(({ id }) =>
        ['token-a', 'token-b'].map((token) => api.callAs(token, 'get', `/v1/domains/${id}`)),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([200, 404, 404, 200, 200, 404]);
    expect((asked[0]!.body as DomainBody).name).toBe(zones[0]?.name);
  });

  it('a cached list has the same headers', async () => {
    const { zone } = await zoneWithRecord();
    const answers: (readonly [string, object, string])[] = [];
    // The first list is rendered, the others are cached; the last request has an empty query.
    for (const query of ['', '', '?']) {
      const response = await api.call('get', `${recordsOf(zone)}${query}`).expect(200);
      const { date, 'x-openstack-request-id': id, ...headers } = response.headers;
      expect([typeof date, id]).toEqual(['string', expect.stringMatching(/^req-/)]);
      answers.push([Object.keys(response.headers).join(), headers, response.text]);
    }
    expect(answers).toEqual([answers[2], answers[2], answers[2]]);
  });
});
