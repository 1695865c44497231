import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import {
  createDomain,
  createRecord,
  type DomainBody,
  freshName,
  readDomain,
  type RecordBody,
} from './support/fixtures.js';
import { readJournal, readRecordRows, replay, serialsOf } from './support/journal.js';
import { useApi } from './support/use-api.js';

const api = useApi({
  env: {
    DNS_API_MAX_DOMAINS: '40',
    DNS_API_MAX_DOMAIN_RECORDS: '60',
    DNS_API_DATABASE_CONNECTIONS: '10',
  },
});

// The tests check that no change is lost or doubled, not that a busy machine answers 50 clients in time.
jest.setTimeout(90_000);

const CLIENTS = 50;

/** Makes a client's call. After a 503, which means that nothing was done, it is repeated, as clients should do. */
async function call(
  ...[token, method, path, body, headers = {}]: [
    ...Parameters<typeof api.callAs>,
    Record<string, string>?,
  ]
): Promise<Response> {
  for (;;) {
    const response = await api.callAs(token, method, path, body).set(headers);
    if (response.status !== 503) return response;
    await sleep(1_000 * Number(response.headers['retry-after']) * Math.random());
  }
}

const clients = <T>(work: (client: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));

function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const recordsOf = (zone: DomainBody) => `/v1/domains/${zone.id}/records`;

describe('50 clients at one domain (Concurrency)', () => {
  it('no update is lost, serials strictly increase, and a replay of the journal gives exactly the rows', async () => {
    const zone = await createDomain(api);
    const answered = await clients(async (client) => {
      const name = `c${client}.${zone.name}`;
      const members = { name, type: 'A', data: '192.0.2.1' };
      const post = await call('token-a', 'post', recordsOf(zone), members);
      const path = `${recordsOf(zone)}/${(post.body as RecordBody).id}`;
      const data = `192.0.2.${client + 1}`;
      const put = await call('token-a', 'put', path, { data, ttl: client });
      if (client % 3 === 0) expect((await call('token-a', 'delete', path)).status).toBe(200);
      return client % 3 === 0 ? undefined : (put.body as RecordBody);
    });

    const rows = await readRecordRows(api.db, zone.id);
    const expected = answered.filter((record) => record !== undefined);
    expect(rows.map(({ id, data }) => `${String(id)} ${String(data)}`)).toEqual(
      expected.map(({ id, data }) => `${id} ${data}`).sort(),
    );
    const journal = await readJournal(api.db, zone.id);
    expect(journal).toHaveLength(1 + CLIENTS * 2 + Math.ceil(CLIENTS / 3));
    expect(new Set(serialsOf(journal)).size).toBe(journal.length);
    expect(serialsOf(journal).at(-1)).toBe((await readDomain(api, zone.id)).serial);
    expect(replay(journal)).toEqual(rows);
    const births = journal.flatMap(({ action, after }) =>
      action === 'record-create' ? [String(after?.['created_at'])] : [],
    );
    // Paging is ordered by creation, so that it misses no record that is created in the meantime.
    expect(births).toEqual([...births].sort());
  });

  it('updates of one record all succeed, one after the other', async () => {
    const zone = await createDomain(api);
    const record = await createRecord(api, zone.id, { name: zone.name, type: 'TXT', data: 'x' });
    const path = `${recordsOf(zone)}/${record.id}`;
    const answers = await clients((n) => call('token-a', 'put', path, { data: `by ${n}` }));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: CLIENTS });
    const response = await api.call('get', path);
    expect(response.headers['etag']).toBe(`"${CLIENTS + 1}"`);
    const journal = await readJournal(api.db, zone.id);
    expect(replay(journal)).toEqual(await readRecordRows(api.db, zone.id));
  });

  it('D-ZONE: exactly one of several updates with the same If-Match succeeds', async () => {
    const zone = await createDomain(api);
    const record = await createRecord(api, zone.id, { name: zone.name, type: 'TXT', data: 'x' });
    const path = `${recordsOf(zone)}/${record.id}`;
    const statuses = await clients(async (client) => {
      const body = { data: `by ${client}` };
      return (await call('token-a', 'put', path, body, { 'If-Match': '"1"' })).status;
    });
    expect(tally(statuses)).toEqual({ 200: 1, 412: CLIENTS - 1 });
  });

  it('D-REC: exactly one of several equal records is created', async () => {
    const zone = await createDomain(api);
    const body = { name: zone.name, type: 'A', data: '192.0.2.1' };
    const statuses = await clients(
      async () => (await call('token-a', 'post', recordsOf(zone), body)).status,
    );
    expect(tally(statuses)).toEqual({ 200: 1, 409: CLIENTS - 1 });
  });

  it('RFC 1034 s3.6.2: a CNAME is never beside other records', async () => {
    const zone = await createDomain(api);
    const name = `www.${zone.name}`;
    await clients(async (client) => {
      const members =
        client % 2 === 0
          ? { type: 'CNAME', data: `t${client}.example.net.` }
          : { type: 'A', data: `192.0.2.${client}` };
      await call('token-a', 'post', recordsOf(zone), { name, ...members });
    });
    const types = (await readRecordRows(api.db, zone.id)).map(({ type }) => type);
    expect(types.length).toBeGreaterThan(0);
    expect(types.includes('CNAME') ? types.length : 0).toBeLessThan(2);
  });

  it('D-ZONE-36: the number of records never exceeds the limit', async () => {
    const zone = await createDomain(api);
    const create = async (client: number) =>
      (
        await call('token-a', 'post', recordsOf(zone), {
          name: `q${client}.${zone.name}`,
          type: 'A',
          data: '192.0.2.1',
        })
      ).status;
    const statuses = [...(await clients(create)), ...(await clients((n) => create(n + CLIENTS)))];
    expect(tally(statuses)).toEqual({ 200: 60, 413: 40 });
    expect(await readRecordRows(api.db, zone.id)).toHaveLength(60);
  });
});

describe('Races between domains (Concurrency)', () => {
  it('D-ZONE-36: the number of domains never exceeds the limit', async () => {
    const statuses = await clients(async () => {
      const body = { name: freshName(), email: 'a@example.com' };
      return (await call('token-b', 'post', '/v1/domains', body)).status;
    });
    expect(tally(statuses)).toEqual({ 200: 40, 413: 10 });
    await api.db.raw(`update dns.domains set deleted_at = now() where tenant_id = 'tenant-b'`);
  });

  it('DNS API s7: a name is created once, whichever tenant requests it', async () => {
    const body = { name: freshName(), email: 'a@example.com' };
    const statuses = await clients(async (client) => {
      const token = client % 2 === 0 ? 'token-a' : 'token-b';
      return (await call(token, 'post', '/v1/domains', body)).status;
    });
    expect(tally(statuses)).toEqual({ 200: 1, 409: CLIENTS - 1 });
  });

  it('D-ZONE: a parent and its child never belong to two tenants', async () => {
    const base = freshName();
    const names = [base, `a.${base}`, `b.a.${base}`, `c.b.a.${base}`];
    await clients(async (client) => {
      const token = client % 2 === 0 ? 'token-a' : 'token-b';
      const body = { name: names[client % names.length], email: 'a@example.com' };
      await call(token, 'post', '/v1/domains', body);
    });
    const { rows } = await api.db.raw<{ rows: { tenants: number; zones: number }[] }>(
      `select count(distinct d.tenant_id) as tenants, count(*) as zones from dns.domains as d
        where d.name like '%' || ? and d.deleted_at is null`,
      [base],
    );
    expect(rows[0]?.tenants).toBe(1);
    expect(rows[0]?.zones).toBeGreaterThan(0);
  });

  it('D-REC: no record is added to a child domain that is being created', async () => {
    const zone = await createDomain(api);
    const child = `child.${zone.name}`;
    await clients(async (client) => {
      const [path, body] =
        client === 25
          ? ['/v1/domains', { name: child, email: 'a@example.com' }]
          : [recordsOf(zone), { name: `r${client}.${child}`, type: 'A', data: '192.0.2.1' }];
      await call('token-a', 'post', path, body);
    });
    // Journal rows are numbered while the locks are held, so their order is that of the changes.
    const { rows } = await api.db.raw<{ rows: unknown[] }>(
      `select late.after from dns.zone_changes as late
         join dns.zone_changes as birth on birth.action = 'domain-create' and birth.after ->> 'name' = ?
        where late.domain_id = ? and late.record_id is not null and late.id > birth.id`,
      [child, zone.id],
    );
    expect(rows).toEqual([]);
  });

  it('D-ZONE: a domain is never deleted while a child is created', async () => {
    const parents: DomainBody[] = [];
    while (parents.length < 10) parents.push(await createDomain(api));
    await Promise.all(
      parents.flatMap(({ id, name }) => [
        call('token-a', 'delete', `/v1/domains/${id}`),
        call('token-b', 'post', '/v1/domains', { name: `child.${name}`, email: 'a@example.com' }),
        call('token-a', 'post', '/v1/domains', { name: `own.${name}`, email: 'a@example.com' }),
      ]),
    );
    const { rows } = await api.db.raw<{ rows: unknown[] }>(
      `select child.name from dns.domains as parent
         join dns.domains as child on child.name like '%.' || parent.name and child.deleted_at is null
        where parent.id = any(?::uuid[])
          and (parent.deleted_at is null and child.tenant_id <> parent.tenant_id)`,
      [parents.map(({ id }) => id)],
    );
    expect(rows).toEqual([]);
  });

  it('DNS API s4: no MX record is created for an address that is being deleted in another domain', async () => {
    const zones = [await createDomain(api), await createDomain(api)] as const;
    for (let round = 0; round < 5; round += 1) {
      const addresses = await Promise.all(
        zones.map(({ id, name }) =>
          createRecord(api, id, { name: `mail.${name}`, type: 'A', data: '192.0.2.1' }),
        ),
      );
      const [mx] = await Promise.all([
        Promise.all(
          zones.map(({ id, name }, at) =>
            call('token-a', 'post', `/v1/domains/${id}/records`, {
              name: `m${round}.${name}`,
              type: 'MX',
              priority: 1,
              data: `mail.${zones[1 - at]?.name ?? ''}`,
            }),
          ),
        ),
        ...addresses.map((address) =>
          call('token-a', 'delete', `/v1/domains/${address.domain_id}/records/${address.id}`),
        ),
      ]);
      expect(mx.every(({ status }) => status === 200 || status === 400)).toBe(true);
      await expectMailTargetsExisted();
    }
  });
});

/** Checks in the journal's order that the target of each MX record had an address when the record was created. */
async function expectMailTargetsExisted(): Promise<void> {
  const { rows } = await api.db.raw<{ rows: { after: unknown }[] }>(
    `select mx.after from dns.zone_changes as mx
      where mx.action = 'record-create' and mx.after ->> 'type' = 'MX'
        and (select count(*) filter (where a.action = 'record-create')
                  - count(*) filter (where a.action = 'record-delete')
               from dns.zone_changes as a
              where coalesce(a.after, a.before) ->> 'name' = mx.after ->> 'data'
                and coalesce(a.after, a.before) ->> 'type' = 'A' and a.id < mx.id) < 1`,
  );
  expect(rows).toEqual([]);
}
