import { beforeEach, describe, expect, it } from '@jest/globals';
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
let record: RecordBody;
/** The domain's ETag after the creation of the record. */
let etag: string;

beforeEach(async () => {
  zone = await createDomain(api);
  record = await createRecord(api, zone.id, newRecord('www'));
  etag = `"${(await readDomain(api, zone.id)).serial}"`;
});

const newRecord = (label: string) => ({
  name: `${label}.${zone.name}`,
  type: 'A',
  data: '192.0.2.1',
});

const WRITES: [string, string, () => object][] = [
  ['a record that is created', 'records', () => newRecord('new')],
  ['a batch', 'batch', () => ({ operations: [{ action: 'create', record: newRecord('new') }] })],
  ['an import', 'import', () => ({ zonefile: 'new A 192.0.2.1' })],
  ['a restore', 'restore', () => ({ serial: zone.serial })],
];

describe.each(WRITES)("If-Match with the domain's serial on %s", (_what, path, body) => {
  const send = (tag: string, query = '') =>
    api.call('post', `/v1/domains/${zone.id}/${path}${query}`, body()).set('If-Match', tag);

  it('RFC 9110 s13.1.1: returns 412 with both tags if it has changed in the meantime, and nothing is done', async () => {
    const old = `"${zone.serial}"`;
    for (const query of ['', '?dry_run=true']) {
      const response = await send(old, query);
      expect(response.status).toBe(412);
      const { type, message } = response.body as ErrorBody;
      expect(type).toBe('precondition_failed');
      expect(message).toContain(old);
      expect(message).toContain(etag);
    }
    expect(`"${(await readDomain(api, zone.id)).serial}"`).toBe(etag);
  });

  it('is performed if it has not changed', async () => {
    expect((await send(etag, '?dry_run=true')).status).toBe(200);
    expect((await send(etag)).status).toBe(200);
    expect((await send(etag)).status).toBe(412);
  });
});

describe('If-Match on an undelete', () => {
  it("accepts the tombstone's serial, which the deletion returned", async () => {
    const deleted = await api.call('delete', `/v1/domains/${zone.id}`).expect(200);
    const undelete = (tag: string) =>
      api.call('post', `/v1/domains/${zone.id}/undelete`).set('If-Match', tag);
    expect((await undelete(etag)).status).toBe(412);
    const serial = String(deleted.headers['x-zonewright-serial']);
    expect((await undelete(`"${serial}"`)).status).toBe(200);
  });
});

describe('if_version of an item of a batch (D-ZONE)', () => {
  const batch = (body: object, query = '') =>
    api.call('post', `/v1/domains/${zone.id}/batch${query}`, body);
  const update = (version: unknown) => ({
    action: 'update',
    id: record.id,
    if_version: version,
    record: { ttl: 60 },
  });

  it('returns 412 with both tags if the record has changed in the meantime', async () => {
    await batch({ operations: [update(1)] }).expect(200);
    const response = await batch({ operations: [update(1)] });
    expect(response.status).toBe(412);
    const [problem] = (response.body as ErrorBody).errors;
    expect(problem).toMatchObject({ path: 'operations[0].if_version', validator: 'version' });
    expect(problem?.message).toMatch(/\b1\b.*\b2\b/);
    const removal = { action: 'delete', id: record.id, if_version: 1 };
    expect((await batch({ operations: [removal] })).status).toBe(412);
    expect((await batch({ operations: [{ ...removal, if_version: 2 }] })).status).toBe(200);
  });

  it('returns 400 if there are other errors, too; without "atomic" only the item is refused', async () => {
    const operations = [update(7), { action: 'create', record: { ...newRecord('x'), data: 'x' } }];
    expect((await batch({ operations })).status).toBe(400);
    const response = await batch({
      atomic: false,
      operations: [update(7), { action: 'create', record: newRecord('y') }],
    });
    expect(response.body).toMatchObject({ results: [{ status: 'refused' }, { status: 'done' }] });
  });

  it.each([0, -1, 1.5, '1', null])('%j is not a version: 400', async (version) => {
    const response = await batch({ operations: [update(version)] });
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([
      { path: 'operations[0].if_version', validator: 'type' },
    ]);
  });

  it('a record that is to be created has no version: 400', async () => {
    const item = { action: 'create', if_version: 1, record: newRecord('x') };
    expect((await batch({ operations: [item] })).status).toBe(400);
  });
});
