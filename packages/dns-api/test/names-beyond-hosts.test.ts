import { describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  freshName,
  type RecordBody,
} from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

const add = (zone: DomainBody, body: object) =>
  api.call('post', `/v1/domains/${zone.id}/records`, body);
const namesOf = async (zone: DomainBody) => {
  const response = await api.call('get', `/v1/domains/${zone.id}/records`).expect(200);
  const { records } = response.body as { records: RecordBody[] };
  return records.map(({ name, type }) => `${name} ${type}`).toSorted();
};

describe('names that are not of hosts (RFC 2181 s11, RFC 2317)', () => {
  it('RFC 2317 s4: a range of addresses is delegated to a domain, and its addresses are aliases of names there', async () => {
    const above = `${freshName().split('.')[0]}.0.192.in-addr.arpa.`;
    const parent = await createDomain(api, { name: above });
    const range = `0/25.${above}`;
    await createRecord(api, parent.id, { name: range, type: 'NS', data: 'ns1.example.net.' });
    await createRecord(api, parent.id, { name: `5.${above}`, type: 'CNAME', data: `5.${range}` });
    const child = await createDomain(api, { name: range });
    await createRecord(api, child.id, {
      name: `5.${range}`,
      type: 'TXT',
      data: 'a name of the range',
    });
    expect(await namesOf(child)).toEqual([`5.${range} TXT`]);
    const found = await api.call('get', `/v2/zones?name=${encodeURIComponent(range)}`).expect(200);
    expect((found.body as { zones: { name: string }[] }).zones.map(({ name }) => name)).toEqual([
      range,
    ]);
  });

  it('version 2 needs no address for a range that a primary serves', async () => {
    const made = await api.call('post', '/v2/zones', {
      ...{ name: `0/26.${freshName().split('.')[0]}.0.192.in-addr.arpa.`, type: 'SECONDARY' },
      masters: ['192.0.2.1:53'],
    });
    expect([made.status, (made.body as { email?: string }).email]).toEqual([
      202,
      expect.stringContaining('hostmaster@zone'),
    ]);
  });

  it('other domains must not have a slash', async () => {
    const response = await api.call('post', '/v1/domains', {
      ...{ name: `0/25.${freshName()}`, ttl: 3_600, email: 'hostmaster@example.net' },
    });
    expect(response.status).toBe(400);
  });

  it('any octet is returned as it was stored, also in a zone file and in version 2', async () => {
    const zone = await createDomain(api);
    const owners = [
      'cname-*',
      String.raw`first\.last`,
      String.raw`a\032b`,
      '-x-',
      'a:b+c',
      String.raw`\000\255`,
    ];
    for (const owner of owners) {
      await createRecord(api, zone.id, { name: `${owner}.${zone.name}`, type: 'TXT', data: 'v' });
    }
    const expected = owners.map((owner) => `${owner}.${zone.name} TXT`).toSorted();
    expect(await namesOf(zone)).toEqual(expected);
    const file = await api.call('get', `/v1/domains/${zone.id}/zonefile`).set('Accept', 'text/dns');
    const again = await api
      .call('post', `/v1/domains/${zone.id}/import?mode=replace&dry_run=true`)
      .set('Content-Type', 'text/dns')
      .send(file.text)
      .expect(200);
    expect(again.body).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    const made = await api.call('post', `/v2/zones/${zone.id}/recordsets`, {
      ...{ name: String.raw`v\@2.${zone.name}`, type: 'TXT', records: ['"v"'] },
    });
    expect(made.status).toBe(202);
    expect(made.body).toMatchObject({ name: String.raw`v\@2.${zone.name}` });
  });

  it('an escaped letter equals the letter, and only an escaped asterisk is not a wildcard (RFC 1035 s5.1, RFC 4592 s2.1.1)', async () => {
    const zone = await createDomain(api);
    await createRecord(api, zone.id, {
      name: String.raw`\065\b.${zone.name}`,
      type: 'TXT',
      data: 'v',
    });
    const same = await add(zone, { name: `ab.${zone.name}`, type: 'TXT', data: 'v' });
    expect(same.status).toBe(409);
    await createRecord(api, zone.id, { name: String.raw`\*.${zone.name}`, type: 'TXT', data: 'v' });
    expect(await namesOf(zone)).toEqual([`*.${zone.name} TXT`, `ab.${zone.name} TXT`]);
    const wild = await add(zone, {
      name: String.raw`\042.${zone.name}`,
      type: 'NS',
      data: 'ns.example.net.',
    });
    expect(wild.status).toBe(400);
  });

  it.each([
    ['A', '0/25', '192.0.2.1', undefined],
    ['AAAA', 'a+b', '2001:db8::1', undefined],
    ['MX', 'cname-*', 'mail.example.net.', 10],
    ['NS', 'sub', 'ns/1.example.net.', undefined],
    ['MX', 'sub', 'ma+il.example.net.', 10],
  ])('BIND check-names: %s of %s to %s is refused', async (type, owner, data, priority) => {
    const zone = await createDomain(api);
    const response = await add(zone, { name: `${owner}.${zone.name}`, type, data, priority });
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).message).toContain('letters, digits');
  });
});
