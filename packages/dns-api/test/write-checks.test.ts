import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type RecordBody,
} from './support/fixtures.js';
import { readRecordRows } from './support/journal.js';
import { useApi } from './support/use-api.js';

const api = useApi({
  env: {
    DNS_API_MAX_DOMAINS: '1000',
    DNS_API_MAX_DOMAIN_RECORDS: '20',
    DNS_API_MAX_DOMAIN_OCTETS: '1024',
    DNS_API_MAX_RECORDSET_RECORDS: '3',
  },
});

const DS = `60485 13 2 ${'AB'.repeat(32)}`;

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const path = (rest: string) => `/v1/domains/${zone.id}${rest}`;
const at = (label: string, type: string, data: string, more: object = {}) => ({
  ...{ name: label === '' ? zone.name : `${label}.${zone.name}`, type, data },
  ...more,
});
const post = (body: object) => api.call('post', path('/records?all_types=true'), body);
const put = (id: string, body: object) =>
  api.call('put', path(`/records/${id}?all_types=true&extended=true`), body);
const add = async (body: object) => (await post(body).expect(200)).body as RecordBody;
const served = async () => (await readRecordRows(api.db, zone.id)).map(({ type }) => type).sort();
const batch = (operations: readonly object[], query = '') =>
  api.call('post', path(`/batch${query}`), { operations });

const setPrimaries = () =>
  api.call('put', path('/primaries'), { primaries: [{ address: '192.0.2.1' }] });

describe('records are checked when they begin to be served', () => {
  it('refuses to enable an MX record without a host, and accepts it with a host in another domain', async () => {
    const off = await add(at('', 'MX', `none.${zone.name}`, { priority: 10, disabled: true }));
    const refused = await put(off.id, { disabled: false }).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ path: 'data', validator: 'mailTarget' }] });
    const other = await createDomain(api);
    await createRecord(api, other.id, { name: `mail.${other.name}`, type: 'A', data: '192.0.2.1' });
    await put(off.id, { data: `mail.${other.name}` }).expect(200);
    await put(off.id, { disabled: false }).expect(200);
  });

  it('refuses to enable a record inside a child domain, by PUT and by batch', async () => {
    const child = await createDomain(api, { name: `sub.${zone.name}` });
    const off = await add(at('www.sub', 'A', '192.0.2.1', { disabled: true }));
    const refused = await put(off.id, { disabled: false }).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ path: 'name', validator: 'childDomain' }] });
    expect(child.name).toBe(`sub.${zone.name}`);
    await batch([{ action: 'update', id: off.id, record: { disabled: false } }]).expect(400);
  });

  it('counts the data of disabled records', async () => {
    const long = (label: string) => at(label, 'TXT', '"x"'.repeat(4_000), { disabled: true });
    await add(long('a'));
    const refused = await post(long('b')).expect(413);
    expect((refused.body as { message: string }).message).toMatch(/data of the domain's records/);
  });

  it('accepts no primaries for a domain with disabled records', async () => {
    await add(at('a', 'A', '192.0.2.1', { disabled: true }));
    const { status } = await setPrimaries();
    expect(status).toBe(409);
  });
});

describe('a delegation (RFC 4035 s2.4)', () => {
  const delegate = async () => {
    const ns = await add(at('sub', 'NS', 'ns.example.net.'));
    await add(at('sub', 'DS', DS));
    return ns;
  };

  it.each<[string, (ns: RecordBody) => Promise<unknown>]>([
    ['deleted', async ({ id }) => await api.call('delete', path(`/records/${id}`)).expect(200)],
    ['disabled', async ({ id }) => await put(id, { disabled: true }).expect(200)],
    ['deleted by batch', async ({ id }) => await batch([{ action: 'delete', id }]).expect(200)],
  ])('loses its DS record if its NS record is %s, and gets it back by a revert', async (_, end) => {
    const ns = await delegate();
    await end(ns);
    expect(await served()).toEqual([]);
    const { serial } = (await api.call('get', path('')).expect(200)).body as { serial: number };
    await api.call('post', path(`/changes/${serial}/revert?confirm=true`)).expect(200);
    expect(await served()).toEqual(['DS', 'NS']);
  });

  it('RFC 4592 s4.2: is not made at a wildcard', async () => {
    const refused = await post(at('*', 'NS', 'ns.example.net.')).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ path: 'name', validator: 'format' }] });
  });
});

describe('an RRset', () => {
  it('has as many records as a recordset may have, whoever writes it', async () => {
    for (const last of [1, 2, 3]) await add(at('www', 'A', `192.0.2.${last}`));
    const fourth = at('www', 'A', '192.0.2.4');
    expect((await post(fourth)).status).toBe(413);
    expect((await batch([{ action: 'create', record: fourth }])).status).toBe(413);
    await add(at('www', 'AAAA', '2001:db8::1'));
  });

  it('fits a message of a zone transfer, with its name and TSIG', async () => {
    const tooLong = at('www', 'TXT', `"${'x'.repeat(255)}"`.repeat(252));
    expect((await post(tooLong).expect(400)).body).toMatchObject({
      errors: [{ path: 'data', validator: 'maxLength' }],
    });
  });
});

describe('a dry run', () => {
  it('of a batch or an import in a secondary domain is refused as the real one is', async () => {
    await setPrimaries().expect(200);
    const operations = [{ action: 'create', record: at('a', 'A', '192.0.2.1') }];
    expect((await batch(operations)).status).toBe(403);
    expect((await batch(operations, '?dry_run=true')).status).toBe(403);
  });
});
