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

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000', DNS_API_MAX_DOMAIN_RECORDS: '20000' } });

interface BatchBody {
  readonly dry_run: boolean;
  readonly serial: number;
  readonly results: readonly {
    readonly action: string;
    readonly status: string;
    readonly record: ListedRecordBody | null;
    readonly errors: readonly { path: string; validator: string }[];
  }[];
}

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const batch = (body: object, query = '') =>
  api.call('post', `/v1/domains/${zone.id}/batch${query}`, body);

const a = (owner: string, data = '192.0.2.1') => ({
  action: 'create',
  record: { name: `${owner}.${zone.name}`, type: 'A', data },
});

const rows = () => readRecordRows(api.db, zone.id);

describe('Batch (Beyond the specification)', () => {
  it('creates, updates and deletes in one transaction and one step of the serial', async () => {
    const [one, two] = [
      await createRecord(api, zone.id, a('one').record),
      await createRecord(api, zone.id, a('two').record),
    ];
    const before = await readJournal(api.db, zone.id);
    const response = await batch({
      operations: [
        a('three'),
        { action: 'update', id: one.id, record: { ttl: 60 } },
        { action: 'delete', id: two.id },
      ],
    });
    expect(response.status).toBe(200);
    const { results, serial } = response.body as BatchBody;
    expect(results.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'create done',
      'update done',
      'delete done',
    ]);
    expect(results.map(({ record }) => record?.ttl)).toEqual([null, 60, undefined]);
    expect((await readDomain(api, zone.id)).serial).toBe(serial);
    const journal = await readJournal(api.db, zone.id);
    expect(serialsOf(journal)).toHaveLength(serialsOf(before).length + 1);
    expect(replay(journal)).toEqual(await rows());
  });

  it('makes all changes or none by default, and reports the problems of all items', async () => {
    const response = await batch({
      operations: [
        a('fine'),
        a('bad', 'x'),
        { action: 'delete', id: '00000000-0000-0000-0000-000000000000' },
      ],
    });
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors.map(({ path }) => path)).toEqual([
      'operations[1].record.data',
      'operations[2].id',
    ]);
    expect(await rows()).toEqual([]);
  });

  it('returns 409 if all problems are duplicates', async () => {
    const response = await batch({ operations: [a('twin'), a('twin')] });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ type: 'duplicate_record' });
  });

  it('with "atomic": false makes the changes that are possible', async () => {
    const response = await batch({
      atomic: false,
      operations: [
        a('fine'),
        a('bad', 'x'),
        {
          action: 'create',
          record: { name: zone.name, type: 'MX', data: `bad.${zone.name}`, priority: 1 },
        },
      ],
    });
    expect(response.status).toBe(200);
    expect((response.body as BatchBody).results.map(({ status }) => status)).toEqual([
      'done',
      'refused',
      'refused',
    ]);
    expect((await rows()).map(({ name }) => name)).toEqual([`fine.${zone.name}`]);
  });

  it('applies the rules to the domain as it is after the whole batch', async () => {
    const alias = await createRecord(api, zone.id, {
      name: `www.${zone.name}`,
      type: 'CNAME',
      data: 'www.example.net.',
    });
    const response = await batch({
      operations: [
        {
          action: 'create',
          record: { name: zone.name, type: 'MX', data: `www.${zone.name}`, priority: 1 },
        },
        a('www'),
        { action: 'delete', id: alias.id },
      ],
    });
    expect(response.status).toBe(200);
    expect(await rows()).toHaveLength(2);
  });

  it('lets two records exchange their contents', async () => {
    const [one, two] = [
      await createRecord(api, zone.id, a('www', '192.0.2.1').record),
      await createRecord(api, zone.id, a('www', '192.0.2.2').record),
    ];
    const response = await batch({
      operations: [
        { action: 'update', id: one.id, record: { data: two.data } },
        { action: 'update', id: two.id, record: { data: one.data } },
      ],
    });
    expect(response.status).toBe(200);
    const read = await api.call('get', `/v1/domains/${zone.id}/records/${one.id}`);
    expect(read.body).toMatchObject({ data: '192.0.2.2', created_at: one.created_at });
    expect(read.headers['etag']).toBe('"2"');
  });

  it('?dry_run=true shows the effect and changes nothing', async () => {
    const { serial } = await readDomain(api, zone.id);
    const response = await batch({ operations: [a('fine'), a('bad', 'x')] }, '?dry_run=true');
    expect(response.status).toBe(200);
    const body = response.body as BatchBody;
    expect(body).toMatchObject({ dry_run: true, serial });
    expect(body.results.map(({ status }) => status)).toEqual(['would_do', 'refused']);
    expect(await rows()).toEqual([]);
  });

  it('?dry_run=true shows whether the whole batch would be applied or refused, and why', async () => {
    const outcomeOf = async (body: object) =>
      (await batch(body, '?dry_run=true').expect(200)).body as object;
    expect(await outcomeOf({ operations: [a('fine'), a('bad', 'x')] })).toMatchObject({
      outcome: 'would_refuse',
      errors: [{ path: 'operations[1].record.data' }],
    });
    expect(await outcomeOf({ operations: [a('fine')] })).toMatchObject({
      outcome: 'would_apply',
      errors: [],
    });
    expect(await outcomeOf({ operations: [a('x', 'x')], atomic: false })).toMatchObject({
      outcome: 'would_apply',
    });
    const created = await batch({ operations: Array.from({ length: 10 }, (_, n) => a(`r${n}`)) });
    const operations = (created.body as BatchBody).results.map(({ record }) => ({
      action: 'delete',
      id: record?.id,
    }));
    expect(await outcomeOf({ operations })).toMatchObject({
      outcome: 'would_refuse',
      errors: [{ path: 'confirm' }],
    });
    expect(await outcomeOf({ operations, confirm: true })).toMatchObject({
      outcome: 'would_apply',
    });
  });

  it('accepts at most 10,000 operations in one step', async () => {
    const operations = (count: number) => Array.from({ length: count }, (_, n) => a(`r${n}`));
    expect((await batch({ operations: operations(10_001) })).status).toBe(400);
    const made = await batch({ operations: operations(10_000) });
    expect(made.status).toBe(200);
    expect(await rows()).toHaveLength(10_000);
    const changed = (made.body as BatchBody).results.map(({ record }) => ({
      ...{ action: 'update', id: record?.id, if_version: 1 },
      record: { data: '192.0.2.77', description: 'moved to the other rack' },
    }));
    const moved = await batch({ operations: changed });
    expect(moved.status).toBe(200);
    expect(serialsOf(await readJournal(api.db, zone.id))).toHaveLength(3);
  }, 180_000);

  it('needs "confirm" to remove more than 30% of at least 10 records', async () => {
    const created = await batch({ operations: Array.from({ length: 10 }, (_, n) => a(`r${n}`)) });
    const deletes = (created.body as BatchBody).results.map(({ record }) => ({
      action: 'delete',
      id: record?.id,
    }));
    const refused = await batch({ operations: deletes.slice(0, 4) });
    expect(refused.status).toBe(400);
    expect((refused.body as ErrorBody).errors).toMatchObject([{ path: 'confirm' }]);
    expect((await batch({ operations: deletes.slice(0, 3) })).status).toBe(200);
    expect((await batch({ operations: deletes.slice(3), confirm: true })).status).toBe(200);
  });

  it.each([
    [{}, 'operations'],
    [{ operations: [] }, 'operations'],
    [{ operations: [null] }, 'operations[0].action'],
    [{ operations: [{ action: 'create', record: 7 }] }, 'operations[0].record.'],
    [{ operations: [{ action: 'delete', id: 'x' }] }, 'operations[0].id'],
    [{ operations: [{ action: 'delete', id: 'x', extra: 1 }] }, 'operations[0].extra'],
    [{ operations: [{ action: 'x' }], atomic: 'no' }, 'atomic'],
  ])('refuses %j', async (body, path) => {
    const response = await batch(body);
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors.map((problem) => problem.path)).toContain(path);
  });
});
