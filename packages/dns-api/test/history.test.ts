import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  type ListedRecordBody,
  readDomain,
} from './support/fixtures.js';
import { readJournal, readRecordRows, replay, serialsOf } from './support/journal.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api, { description: 'as it was' });
});

const path = (rest: string) => `/v1/domains/${zone.id}${rest}`;

async function listRecords(): Promise<ListedRecordBody[]> {
  const response = await api.call('get', path('/records')).expect(200);
  return (response.body as { records: ListedRecordBody[] }).records;
}

/** Returns the properties of records that users set and a restore brings back. */
const contents = (records: readonly ListedRecordBody[]) =>
  records.map((record) => ({ ...record, version: undefined, updated_at: undefined }));

const add = (owner: string, data = '192.0.2.1') =>
  createRecord(api, zone.id, { name: `${owner}.${zone.name}`, type: 'A', data });

interface ChangeBody {
  readonly id: number;
  readonly action: string;
  readonly serial_before: number | null;
  readonly serial_after: number;
  readonly user_id: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

async function listChanges(query = ''): Promise<ChangeBody[]> {
  const response = await api.call('get', path(`/changes${query}`)).expect(200);
  return (response.body as { changes: ChangeBody[] }).changes;
}

describe('List Changes (Beyond the specification)', () => {
  it('shows author, time and content, and the serial before and after; newest first', async () => {
    const record = await add('www');
    await api.call('put', path(`/records/${record.id}`), { ttl: 60 }).expect(200);
    const changes = await listChanges();
    expect(changes.map(({ action }) => action)).toEqual([
      'record-update',
      'record-create',
      'domain-create',
    ]);
    expect(changes[0]).toMatchObject({
      user_id: 'user-a',
      request_id: expect.stringMatching(/^req-/),
      changed_at: expect.stringMatching(/\.\d{6}$/),
      serial_before: changes[1]?.serial_after,
      serial_after: (await readDomain(api, zone.id)).serial,
      before: { ttl: null, data: '192.0.2.1' },
      after: { ttl: 60 },
    });
    expect(changes[0]?.after).not.toHaveProperty('rdata');
    expect(changes[2]?.serial_before).toBeNull();
  });

  it('has pages with limit and marker', async () => {
    await add('a');
    await add('b');
    const all = await listChanges();
    const first = await listChanges('?limit=2');
    expect(first).toEqual(all.slice(0, 2));
    expect(await listChanges(`?limit=2&marker=${first[1]?.id ?? 0}`)).toEqual(all.slice(2));
    for (const query of ['limit=0', 'limit=1001', 'marker=x', 'marker=999999999']) {
      await api.call('get', path(`/changes?${query}`)).expect(400);
    }
  });
});

describe('Restore (Beyond the specification)', () => {
  it('restores the domain and its records to a serial, in one step', async () => {
    const [kept, changed, deleted] = [
      await add('kept'),
      await add('changed'),
      await add('deleted'),
    ];
    const { serial } = await readDomain(api, zone.id);
    const then = await listRecords();
    await api.call('put', path(`/records/${changed.id}`), { data: '192.0.2.9' }).expect(200);
    await api.call('delete', path(`/records/${deleted.id}`)).expect(200);
    await add('new');
    await api.call('put', path(''), { description: null, ttl: 1 }).expect(200);

    const response = await api.call('post', path('/restore'), { serial });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ description: 'as it was', ttl: zone.ttl });
    expect((response.body as DomainBody).serial).toBeGreaterThan(serial);
    expect(contents(await listRecords())).toEqual(contents(then));
    expect((await listRecords()).find(({ id }) => id === kept.id)).toMatchObject(kept);
    const journal = await readJournal(api.db, zone.id);
    expect(replay(journal)).toEqual(await readRecordRows(api.db, zone.id));
    expect(new Set(serialsOf(journal)).size).toBe(1 + 3 + 4 + 1);
  });

  it('can itself be undone, and no ETag is reused for another content', async () => {
    const record = await add('www');
    const { serial } = await readDomain(api, zone.id);
    await api.call('put', path(`/records/${record.id}`), { ttl: 9 }).expect(200);
    const later = (await readDomain(api, zone.id)).serial;
    await api.call('post', path('/restore'), { serial }).expect(200);
    await api.call('post', path('/restore'), { serial: later }).expect(200);
    expect((await listRecords()).map(({ ttl, version }) => [ttl, version])).toEqual([[9, 4]]);
  });

  it('to the current serial changes nothing', async () => {
    const { serial } = await readDomain(api, zone.id);
    const response = await api.call('post', path('/restore'), { serial });
    expect((response.body as DomainBody).serial).toBe(serial);
  });

  it.each([{}, { serial: 1 }, { serial: 'x' }, { serial: 1, confirm: 1 }])(
    'refuses %j',
    async (body) => {
      const response = await api.call('post', path('/restore'), body);
      expect(response.status).toBe(400);
      expect((response.body as ErrorBody).errors.length).toBeGreaterThan(0);
    },
  );

  it('needs "confirm" to remove more than 30% of at least 10 records', async () => {
    for (let n = 0; n < 10; n += 1) await add(`r${n}`);
    const body = { serial: zone.serial };
    expect((await api.call('post', path('/restore'), body)).status).toBe(400);
    await api.call('post', path('/restore'), { ...body, confirm: true }).expect(200);
    expect(await listRecords()).toEqual([]);
  });

  it('keeps the current rules, for example about a child domain that was created since', async () => {
    const record = await add('child');
    const { serial } = await readDomain(api, zone.id);
    await api.call('delete', path(`/records/${record.id}`)).expect(200);
    await createDomain(api, { name: `child.${zone.name}` });
    const response = await api.call('post', path('/restore'), { serial });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ type: 'invalid_record_location' });
  });

  it('restores mail targets in another domain', async () => {
    const other = await createDomain(api);
    await createRecord(api, other.id, { name: other.name, type: 'A', data: '192.0.2.1' });
    const mx = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'MX',
      data: other.name,
      priority: 1,
    });
    const { serial } = await readDomain(api, zone.id);
    await api.call('delete', path(`/records/${mx.id}`)).expect(200);
    await api.call('post', path('/restore'), { serial }).expect(200);
    expect((await listRecords()).map(({ id }) => id)).toEqual([mx.id]);
  });
});

describe('Undelete (Beyond the specification)', () => {
  it('restores a domain with its records and a greater serial', async () => {
    const record = await add('www');
    await api.call('delete', path('')).expect(200);
    const response = await api.call('post', path('/undelete'));
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: zone.id, description: 'as it was' });
    expect((response.body as DomainBody).serial).toBeGreaterThan(zone.serial);
    expect(await listRecords()).toMatchObject([record]);
    serialsOf(await readJournal(api.db, zone.id));
  });

  it('returns 404 after the time, and to another tenant', async () => {
    await api.call('delete', path('')).expect(200);
    const other = await api.callAs('token-b', 'post', path('/undelete'));
    expect(other.status).toBe(404);
    await api.db.raw(
      `update dns.domains set deleted_at = now() - interval '31 days' where id = ?`,
      [zone.id],
    );
    const late = await api.call('post', path('/undelete'));
    expect(late.status).toBe(404);
    expect(late.body).toMatchObject({ type: 'domain_not_found' });
  });

  it('returns 409 if the name is in use, and 400 if there is nothing to restore', async () => {
    expect((await api.call('post', path('/undelete'))).status).toBe(400);
    await api.call('delete', path('')).expect(200);
    await createDomain(api, { name: zone.name }, 'token-b');
    expect((await api.call('post', path('/undelete'))).status).toBe(409);
  });

  it('continues with a greater serial than that of another domain with the name in the meantime', async () => {
    await api.call('delete', path('')).expect(200);
    const between = await createDomain(api, { name: zone.name });
    await api.db.raw('update dns.domains set serial = 4000000000 where id = ?', [between.id]);
    await api.call('delete', `/v1/domains/${between.id}`).expect(200);
    const response = await api.call('post', path('/undelete')).expect(200);
    expect((response.body as DomainBody).serial).toBeGreaterThan(4_000_000_001);
  });
});
