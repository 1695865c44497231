import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  type ListedRecordBody,
} from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const HASH = '0a'.repeat(32);

/** One record of each type that the original API document does not have. */
const OTHERS: readonly (readonly [owner: string, type: string, data: string])[] = [
  ['ptr', 'PTR', 'host.example.com.'],
  ['dname', 'DNAME', 'example.net.'],
  ['caa', 'CAA', '0 issue "ca.example.net"'],
  ['_443._tcp', 'TLSA', `3 1 1 ${HASH}`],
  ['smimea', 'SMIMEA', '3 0 0 0a0b'],
  ['sshfp', 'SSHFP', `4 2 ${HASH}`],
  ['svcb', 'SVCB', '1 . alpn=dot port=853'],
  ['https', 'HTTPS', '0 www.example.com.'],
  ['child', 'DS', `60485 13 2 ${HASH}`],
  ['dhcid', 'DHCID', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  ['naptr', 'NAPTR', '100 10 "S" "SIP+D2U" "" _sip._udp.example.com.'],
  ['uri', 'URI', '10 1 "https://www.example.com/path"'],
  ['loc', 'LOC', '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m'],
  ['cert', 'CERT', '1 0 0 MIIBIjANBgkqhkiG'],
  ['openpgpkey', 'OPENPGPKEY', 'mQINBFit2ioBEADh'],
  ['spf', 'SPF', '"v=spf1 -all"'],
  ['hinfo', 'HINFO', '"ARM64" "Linux"'],
  ['rp', 'RP', 'admin.example.com. text.example.com.'],
  ['afsdb', 'AFSDB', '1 afsdb.example.com.'],
  ['eui48', 'EUI48', '00-00-5e-00-53-2a'],
  ['eui64', 'EUI64', '00-00-5e-ef-10-00-00-2a'],
  ['type65280', 'TYPE65280', '\\# 4 0a000001'],
];
const CAA = OTHERS[2]!;
const ALL = '?all_types=true';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000', DNS_API_MAX_DOMAIN_RECORDS: '30' } });

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const recordOf = ([owner, type, data]: (typeof OTHERS)[number], { name } = zone) => ({
  name: `${owner}.${name}`,
  type,
  data,
});
const delegation = () => ({
  name: `child.${zone.name}`,
  type: 'NS',
  data: 'ns.elsewhere.example.',
});
const create = (record: object) => ({ action: 'create', record });
const batch = (...records: object[]) =>
  api.call('post', `/v1/domains/${zone.id}/batch`, { operations: records.map(create) });
const records = (query = '') => api.call('get', `/v1/domains/${zone.id}/records${query}`);
const one = (method: 'get' | 'put' | 'delete', id: string, query = '', body?: object) =>
  api.call(method, `/v1/domains/${zone.id}/records/${id}${query}`, body);

async function listed(query = ''): Promise<ListedRecordBody[]> {
  return ((await records(query).expect(200)).body as { records: ListedRecordBody[] }).records;
}

async function createCaa(): Promise<ListedRecordBody> {
  await batch(recordOf(CAA)).expect(200);
  return (await listed(`${ALL}&type=CAA`))[0]!;
}

function problemOf({ body }: { readonly body: unknown }) {
  return (body as ErrorBody).errors[0];
}

describe('Types beside the seven of DNS API s2', () => {
  it('can be created in a batch, are listed for clients that know them, and survive an export and import', async () => {
    await batch(delegation(), ...OTHERS.map((each) => recordOf(each))).expect(200);
    expect((await listed()).map(({ type }) => type)).toEqual(['NS']);
    // Records that are created at once have no particular order.
    const dataOf = async () =>
      (await listed(ALL)).map(({ type, data }) => `${type} ${data}`).toSorted();
    const shown = await dataOf();
    expect(shown).toEqual(
      [`NS ${delegation().data}`, ...OTHERS.map(([, type, data]) => `${type} ${data}`)].toSorted(),
    );
    expect(await listed(`${ALL}&type=loc`)).toHaveLength(1);

    const { text } = await api.call('get', `/v1/domains/${zone.id}/zonefile`).expect(200);
    const query = `?mode=replace&confirm=true`;
    const imported = await api
      .call('post', `/v1/domains/${zone.id}/import${query}`)
      .set('Content-Type', 'text/dns')
      .send(text);
    expect(imported.body).toMatchObject({ created: 0, deleted: 0, unchanged: OTHERS.length + 1 });

    const empty = await api
      .call('post', `/v1/domains/${zone.id}/import${query}`)
      .set('Content-Type', 'text/dns')
      .send(`keep ${text.split('\n')[2]!.replace(/^\S+/, '')}\nkeep A 192.0.2.1\n`);
    expect(empty.body).toMatchObject({ deleted: OTHERS.length + 1 });
    await api
      .call('post', `/v1/domains/${zone.id}/import${query}`)
      .set('Content-Type', 'text/dns')
      .send(text)
      .expect(200);
    expect(await dataOf()).toEqual(shown);
  });

  it('still cannot be written one by one by clients that do not know them', async () => {
    const path = `/v1/domains/${zone.id}/records`;
    const refused = await api.call('post', path, recordOf(CAA)).expect(400);
    expect(problemOf(refused)).toEqual({
      path: 'type',
      validator: 'enum',
      message: 'type "CAA" is not supported; write one of NS, A, AAAA, MX, TXT, CNAME, SRV.',
    });
    expect(problemOf(await records('?type=CAA').expect(400))).toMatchObject({ validator: 'enum' });
    const a = await createRecord(api, zone.id, {
      ...recordOf(CAA),
      type: 'A',
      data: '192.0.2.1',
    });
    const [, type, data] = CAA;
    expect(problemOf(await one('put', a.id, '', { type, data }))).toMatchObject({ path: 'type' });
    await one('put', a.id, ALL, { type, data }).expect(200);
    expect(await listed()).toEqual([]);
  });

  it('are hidden from clients that do not know them', async () => {
    const { id } = await createCaa();
    await one('get', id).expect(404);
    await one('put', id, '', { ttl: 60 }).expect(404);
    await one('delete', id).expect(404);
    expect((await one('get', id, ALL).expect(200)).body).toMatchObject({ type: 'CAA' });
    const changed = await one('put', id, ALL, { ttl: 60 }).expect(200);
    expect(changed.body).toMatchObject({ ttl: 60 });
    await one('delete', id, ALL);
    expect(await listed(ALL)).toEqual([]);
  });

  it('an old client reads a zone that has all of them, changes and deletes the types it knows, and keeps the others', async () => {
    const own = ['A', 'TXT', 'A', 'TXT', 'A'].map((type, at) => ({
      name: `own${at}.${zone.name}`,
      type,
      data: type === 'A' ? `192.0.2.${at}` : 'text',
    }));
    const others = OTHERS.filter(([, type]) => type !== 'DS').map((each) => recordOf(each));
    // The other records are created between its own ones, in the order in which lists show them.
    for (const record of own) {
      await batch(...others.splice(0, 5)).expect(200);
      await createRecord(api, zone.id, record);
    }
    const hidden = async () => (await listed(ALL)).filter(({ name }) => !name.startsWith('own'));
    const before = await hidden();
    expect(before).toHaveLength(OTHERS.length - 1);
    const seen: ListedRecordBody[] = [];
    for (;;) {
      const page = await listed(`?limit=2${seen.length > 0 ? `&marker=${seen.at(-1)!.id}` : ''}`);
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen.map(({ name, type }) => [name, type])).toEqual(
      own.map(({ name, type }) => [name, type]),
    );
    for (const { id } of seen) {
      await one('get', id).expect(200);
      await one('put', id, '', { ttl: 120 }).expect(200);
      await one('delete', id).expect(200);
    }
    expect(await listed()).toEqual([]);
    await api.call('put', `/v1/domains/${zone.id}`, { ttl: 600 }).expect(200);
    expect(await hidden()).toEqual(before);
  });

  it('all_types accepts true and false', async () => {
    expect(problemOf(await records('?all_types=yes').expect(400))).toMatchObject({
      path: 'all_types',
    });
  });

  it('a list that was cached for one client is not given to another', async () => {
    await createCaa();
    for (let time = 1; time <= 2; time += 1) {
      expect(await listed()).toEqual([]);
      expect(await listed(ALL)).toHaveLength(1);
    }
  });

  it('RFC 1034 s3.6.2: a CNAME beside one gets an error with its type', async () => {
    await createCaa();
    const cname = { name: `caa.${zone.name}`, type: 'CNAME', data: 'a.example.net.' };
    const refused = await api.call('post', `/v1/domains/${zone.id}/records`, cname).expect(400);
    expect(problemOf(refused)).toMatchObject({ path: 'name', validator: 'alone' });
    expect(problemOf(refused)?.message).toContain('(CAA, listed with all_types=true)');
  });

  it('count for the quota', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...recordOf(CAA),
      name: `n${at}.${zone.name}`,
    }));
    await batch(...many).expect(200);
    const a = { name: `www.${zone.name}`, type: 'A', data: '192.0.2.1' };
    const refused = await api.call('post', `/v1/domains/${zone.id}/records`, a);
    expect(refused.status).toBe(413);
  });

  it('RFC 4035 s2.4: DS may be beside the NS of a delegation, and never at the apex', async () => {
    const ds = recordOf(OTHERS[8]!);
    const alone = await batch(ds);
    expect(alone.status).toBe(400);
    expect(problemOf(alone)?.message).toContain('Create NS records');
    expect(problemOf(await batch({ ...ds, name: zone.name }))?.message).toContain('domain itself');
    await batch(ds, delegation()).expect(200);
  });

  it('types that the service writes itself are refused with a sentence', async () => {
    const refused = await batch({ name: `a.${zone.name}`, type: 'RRSIG', data: 'x' });
    expect(problemOf(refused)?.message).toContain('is managed by this service');
  });

  it('history shows them', async () => {
    await createCaa();
    const response = await api.call('get', `/v1/domains/${zone.id}/changes`).expect(200);
    const { changes } = response.body as { changes: { after: { type?: string } | null }[] };
    expect(changes.some(({ after }) => after?.type === 'CAA')).toBe(true);
  });
});

describe('DNS_API_V1_TYPES=all', () => {
  const open = useApi({ env: { DNS_API_V1_TYPES: 'all' } });

  it('with the setting all clients know all types, unless a request says otherwise', async () => {
    const { id, name } = await createDomain(open);
    const path = `/v1/domains/${id}/records`;
    await open.call('post', path, recordOf(CAA, { ...zone, name })).expect(200);
    const count = async (query: string) => {
      const response = await open.call('get', path + query).expect(200);
      return (response.body as { records: unknown[] }).records.length;
    };
    expect(await count('')).toBe(1);
    expect(await count('?all_types=false')).toBe(0);
  });
});
