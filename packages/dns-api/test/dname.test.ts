import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  readDomain,
  type RecordBody,
} from './support/fixtures.js';
import { readRecordRows } from './support/journal.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000', DNS_API_MAX_RECORDSET_RECORDS: '3' } });

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const path = (rest: string, { id } = zone) => `/v1/domains/${id}${rest}`;
const name = (label: string) => `${label}.${zone.name}`;
const dname = (label = 'old', more: object = {}) => ({
  ...{ name: name(label), type: 'DNAME', data: 'New.example.net.' },
  ...more,
});
const below = (more: object = {}) => ({
  ...{ name: name('www.old'), type: 'A', data: '192.0.2.1' },
  ...more,
});
const ALL = '?all_types=true&extended=true';
const post = (body: object) => api.call('post', path(`/records${ALL}`), body);
const put = (id: string, body: object) => api.call('put', path(`/records/${id}${ALL}`), body);
const add = async (body: object) => (await post(body).expect(200)).body as RecordBody;
const batch = (...operations: object[]) => api.call('post', path('/batch'), { operations });
const create = (record: object) => ({ action: 'create', record });
const importText = (text: string, query: string) =>
  api
    .call('post', path(`/import${query}`))
    .set('Content-Type', 'text/dns')
    .send(text);
const served = async () =>
  (await readRecordRows(api.db, zone.id))
    .map(({ type, data }) => `${String(type)} ${String(data)}`)
    .sort();

const REFUSED = { status: 400, body: { errors: [{ path: 'name', validator: 'dname' }] } };

describe('a DNAME record (RFC 6672)', () => {
  it('is created, read, changed and deleted, and keeps the case of its letters', async () => {
    const { id } = await add(dname());
    await expect(api.call('get', path(`/records/${id}${ALL}`))).resolves.toMatchObject({
      body: { type: 'DNAME', data: 'New.example.net.', priority: null },
    });
    await put(id, { data: 'other.example.net.', ttl: 60 }).expect(200);
    expect(await served()).toEqual(['DNAME other.example.net.']);
    await api.call('delete', path(`/records/${id}${ALL}`)).expect(200);
    expect(await served()).toEqual([]);
  });

  it('is hidden from clients that support only seven types', async () => {
    const { id } = await add(dname());
    await api.call('get', path(`/records/${id}`)).expect(404);
    const refused = await api.call('post', path('/records'), dname('b')).expect(400);
    expect((refused.body as ErrorBody).errors[0]).toMatchObject({ path: 'type' });
  });

  it('is the same after an export and an import, with relative names and at the apex', async () => {
    const text = `old 300 DNAME new\n@ 300 DNAME example.net.\n`;
    await importText(text, '?mode=merge').expect(200);
    // The record below the apex's DNAME is refused and reported with its line.
    expect(await served()).toEqual([`DNAME new.${zone.name}`]);
    const exported = await api.call('get', path('/zonefile')).expect(200);
    expect(exported.text).toMatch(/^old\t300\tIN\tDNAME\tnew\./m);
    const again = await importText(exported.text, '?mode=replace&confirm=true');
    expect(again.body).toMatchObject({ created: 0, deleted: 0, unchanged: 1 });
  });
});

describe('names below a DNAME record are refused', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['v1', async () => await post(below())],
    [
      'v1, a record that is renamed',
      async () => {
        const { id } = await add({ ...below(), name: name('b') });
        return await put(id, { name: name('www.old') });
      },
    ],
    [
      'v1, a record that is enabled',
      async () => {
        const { id } = await add(below({ disabled: true }));
        return await put(id, { disabled: false });
      },
    ],
    [
      'v1, a delegation',
      async () => await post({ ...below(), type: 'NS', data: 'ns.example.net.' }),
    ],
    ['v1, another DNAME record', async () => await post(dname('a.old'))],
  ])('%s', async (_, write) => {
    await add(dname());
    await expect(write()).resolves.toMatchObject(REFUSED);
  });

  it('v2', async () => {
    await add(dname());
    const recordset = { name: name('www.old'), type: 'A', records: ['192.0.2.1'] };
    const refused = await api.call('post', `/v2/zones/${zone.id}/recordsets`, recordset);
    expect(refused.status).toBe(400);
  });

  it('batch: the first of several conflicting records stays', async () => {
    await expect(batch(create(dname()), create(below()))).resolves.toMatchObject({
      status: 400,
      body: { errors: [{ path: 'operations[1].record.name', validator: 'dname' }] },
    });
    await batch(create({ ...below(), name: name('b') }), create(dname())).expect(200);
  });

  it('import: conflicting lines are reported, and the others are imported', async () => {
    const lines = ['old DNAME new.example.net.', 'www.old A 192.0.2.1', 'www A 192.0.2.1'];
    const imported = await importText(lines.join('\n'), '?mode=merge');
    expect(imported.body).toMatchObject({ created: 2 });
    expect(JSON.stringify(imported.body)).toContain('"line":2');
    expect(await served()).toEqual(['A 192.0.2.1', 'DNAME new.example.net.']);
  });

  it('a revert and a restore', async () => {
    const { id } = await add(below());
    const { serial: before } = await readDomain(api, zone.id);
    await api.call('delete', path(`/records/${id}`)).expect(200);
    const { serial } = await readDomain(api, zone.id);
    await add(dname());
    await expect(api.call('post', path(`/changes/${serial}/revert`))).resolves.toMatchObject(
      REFUSED,
    );
    // The restore removes the DNAME record.
    await api.call('post', path('/restore'), { serial: before, confirm: true }).expect(200);
    expect(await served()).toEqual(['A 192.0.2.1']);
  });
});

describe('a DNAME record above others is refused', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['v1', async () => await post(dname())],
    ['v1, at the apex', async () => await post({ ...dname(), name: zone.name })],
    [
      'v1, enabled',
      async () => {
        const { id } = await add(dname('old', { disabled: true }));
        return await put(id, { disabled: false });
      },
    ],
    [
      'v1, renamed',
      async () => {
        const { id } = await add(dname('b'));
        return await put(id, { name: name('old') });
      },
    ],
    [
      'v1, an address that becomes one',
      async () => {
        const { id } = await add({ ...below(), name: name('old') });
        return await put(id, { type: 'DNAME', data: 'example.net.' });
      },
    ],
  ])('%s', async (_, write) => {
    await add(below());
    await expect(write()).resolves.toMatchObject(REFUSED);
  });

  it('is checked in many changes at once, whichever name is above', async () => {
    await add(below());
    const labels = Array.from({ length: 60 }, (_, at) => `d${at}`);
    const many = await batch(...labels.map((label) => create(dname(label))), create(dname()));
    expect(many).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'operations[60].record.name', validator: 'dname' }] },
    });
    const { id } = (await readRecordRows(api.db, zone.id))[0]!;
    await batch({ action: 'delete', id }, create(dname())).expect(200);
  });
});

describe('at one name', () => {
  it('a name has one DNAME record, and none beside CNAME and NS', async () => {
    await add(dname());
    await expect(post(dname('old', { data: 'b.' }))).resolves.toMatchObject(REFUSED);
    const ns = { ...dname(), type: 'NS', data: 'ns.example.net.' };
    await expect(post(ns)).resolves.toMatchObject(REFUSED);
    const alias = { ...dname(), type: 'CNAME' };
    await expect(post(alias)).resolves.toMatchObject({
      body: { errors: [{ validator: 'alone' }] },
    });
    const recordset = { name: name('two'), type: 'DNAME', records: ['a.', 'b.'] };
    const two = await api.call('post', `/v2/zones/${zone.id}/recordsets`, recordset);
    expect(two.status).toBe(400);
  });

  it('v2 changes its target', async () => {
    const recordset = { name: name('old'), type: 'DNAME', records: ['a.example.'] };
    const created = await api.call('post', `/v2/zones/${zone.id}/recordsets`, recordset);
    const { id } = created.body as { id: string };
    const records = ['b.example.'];
    await api.call('put', `/v2/zones/${zone.id}/recordsets/${id}`, { records }).expect(202);
    expect(await served()).toEqual(['DNAME b.example.']);
  });

  it('is refused at a wildcard (RFC 6672 s3.3)', async () => {
    const refused = await post(dname('*')).expect(400);
    expect((refused.body as ErrorBody).errors[0]).toMatchObject({
      path: 'name',
      validator: 'format',
    });
  });
});

describe('domains and DNAME records', () => {
  const child = (label: string) =>
    api.call('post', '/v1/domains', { name: name(label), email: 'a@example.com' });

  it.each(['old', 'sub.old', 'a.b.old'])('no domain is created at %s', async (label) => {
    await add(dname());
    await expect(child(label)).resolves.toMatchObject(REFUSED);
    await child('told').expect(200);
  });

  it('no DNAME record is created above or at a domain', async () => {
    await createDomain(api, { name: name('sub.old') });
    await expect(post(dname())).resolves.toMatchObject(REFUSED);
    await expect(post(dname('sub.old'))).resolves.toMatchObject({
      body: { errors: [{ validator: 'childDomain' }] },
    });
  });

  it('no domain is restored below a DNAME record, or above a restored domain', async () => {
    const sub = await createDomain(api, { name: name('sub.old') });
    await api.call('delete', path('', sub)).expect(200);
    await add(dname());
    await expect(api.call('post', path('/undelete', sub))).resolves.toMatchObject(REFUSED);
    await api.call('delete', path('')).expect(200);
    await api.call('post', path('/undelete', sub)).expect(200);
    await expect(api.call('post', path('/undelete'))).resolves.toMatchObject(REFUSED);
    await api.call('delete', path('', sub)).expect(200);
    await api.call('post', path('/undelete')).expect(200);
    expect(await served()).toEqual(['DNAME New.example.net.']);
  });

  it('no mail target is below a DNAME record, here and in another domain', async () => {
    await add(dname());
    const mx = { name: zone.name, type: 'MX', data: name('mail.old'), priority: 10 };
    const refused = { status: 400, body: { errors: [{ path: 'data', validator: 'mailTarget' }] } };
    await expect(post(mx)).resolves.toMatchObject(refused);
    const other = await createDomain(api);
    const records = `/v1/domains/${other.id}/records`;
    const there = await api.call('post', records, { ...mx, name: other.name });
    expect(there).toMatchObject(refused);
    expect((there.body as ErrorBody).message).toContain('DNAME');
    await createRecord(api, zone.id, { ...below(), name: name('old') });
    await api.call('post', records, { ...mx, name: other.name, data: name('old') }).expect(200);
  });
});
