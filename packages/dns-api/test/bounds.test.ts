import { describe, expect, it } from '@jest/globals';
import { createDomain, createRecord, type ErrorBody, freshName } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });
const large = useApi({
  env: { DNS_API_MAX_DOMAINS: '1000', DNS_API_MAX_DOMAIN_OCTETS: '100000000' },
});

/** A text of 45,000 octets, each written with four characters, which is the maximum length for a body. */
const LONG_TEXT = `"${'\\065'.repeat(45_000)}"`;

const importText = (zoneId: string, text: string, query = '') =>
  api
    .call('post', `/v1/domains/${zoneId}/import${query}`)
    .set('Content-Type', 'text/dns')
    .send(text);

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

describe('What a request may cost (D-ZONE-75)', () => {
  it.each(['constructor', '__proto__', 'toString', '', null, 1, {}])(
    'a batch has three actions, and %j is not one of them',
    async (action) => {
      const zone = await createDomain(api);
      const body = `{"operations":[{"action":${JSON.stringify(action)},"record":{}}]}`;
      const response = await api
        .call('post', `/v1/domains/${zone.id}/batch`)
        .set('Content-Type', 'application/json')
        .send(body);
      expect(response.status).toBe(400);
    },
  );

  it.each(['/v1/domains?name=%00', '/v1/domains?name=a%00b.', 'data=%00', 'name=%00', 'type=%00'])(
    'D-REQ-21: %s gets 400',
    async (what) => {
      const zone = await createDomain(api);
      const path = what.startsWith('/') ? what : `/v1/domains/${zone.id}/records?${what}`;
      const response = await api.call('get', path);
      expect(response.status).toBe(400);
    },
  );

  it('an error lists a hundred problems and the number of all', async () => {
    const zone = await createDomain(api);
    const body = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`m${at}`, 1]));
    const refused = await api.call('post', `/v1/domains/${zone.id}/records`, body);
    expect((refused.body as ErrorBody).errors).toHaveLength(100);
    const operations = Array.from({ length: 1_000 }, () => ({ action: 'none' }));
    const batch = await api.call('post', `/v1/domains/${zone.id}/batch`, { operations });
    expect((batch.body as ErrorBody).errors).toHaveLength(100);
    expect((batch.body as ErrorBody).message).toContain('the first 100');
  });

  it('a body with more members than any needs gets 400 before it is read', async () => {
    const zone = await createDomain(api);
    for (const [path, values] of [
      ['records', 60_000],
      ['batch', 300_000],
      ['import', 60_000],
      ['restore', 60_000],
    ] as const) {
      const response = await api
        .call('post', `/v1/domains/${zone.id}/${path}`)
        .set('Content-Type', 'application/json')
        .send(`[${'[],'.repeat(values)}[]]`);
      expect((response.body as ErrorBody).message).toContain('values');
    }
  });

  it('a mail target with very many labels gets 400', async () => {
    const zone = await createDomain(api);
    const data = 'a.'.repeat(50_000);
    const record = { name: zone.name, type: 'MX', priority: 1, data };
    expect((await api.call('post', `/v1/domains/${zone.id}/records`, record)).status).toBe(400);
  });

  it('an import stops reading a thousand lines after the limit of records', async () => {
    const zone = await createDomain(api);
    const file = lines(150_000, (at) => `h${at} A 192.0.2.1\n`);
    for (const query of ['?dry_run=true', '']) {
      const response = await importText(zone.id, file, query);
      expect(response.status).toBe(413);
      expect((response.body as ErrorBody).message).toContain('more than 1500 records');
    }
  });

  it('an import of invalid lines ends after a hundred of them', async () => {
    const zone = await createDomain(api);
    const response = await importText(zone.id, 'x A y\n'.repeat(100_000));
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toHaveLength(100);
    expect((response.body as ErrorBody).errors[0]?.message).toContain('line 1:');
  });

  it('shows a hundred of the skipped lines, and a megabyte of a difference', async () => {
    const zone = await createDomain(api);
    const file =
      lines(150, (at) => `h${at} RRSIG x\n`) + lines(9, (at) => `t${at} TXT ${LONG_TEXT}\n`);
    const body = (await importText(zone.id, file, '?dry_run=true')).body as unknown;
    expect(body).toMatchObject({ created: 9, not_taken_count: 150 });
    const { not_taken, difference } = body as {
      not_taken: unknown[];
      difference: { create: unknown[]; complete: boolean };
    };
    expect(not_taken).toHaveLength(100);
    expect(difference).toMatchObject({ complete: false });
    expect(difference.create).toHaveLength(5);
  });

  it('the data of a domain has a limit, to which only long records count', async () => {
    const zone = await createDomain(api);
    const create = (name: string, data: string) =>
      api.call('post', `/v1/domains/${zone.id}/records`, {
        name: `${name}.${zone.name}`,
        type: 'TXT',
        data,
      });
    let statuses: number[] = [];
    for (let at = 0; !statuses.includes(413) && at < 40; at += 1) {
      statuses = [...statuses, (await create(`t${at}`, LONG_TEXT)).status];
    }
    // The limit allows 4 MiB and 500 times 1 KiB, and each record counts 180,002 octets.
    expect(statuses).toEqual([...Array.from({ length: 26 }, () => 200), 413]);
    expect((await create('short', 'x'.repeat(200))).status).toBe(200);
  });

  it('a page of changes ends after two megabytes, with a link to the rest', async () => {
    const zone = await createDomain(api);
    const record = { name: zone.name, type: 'TXT', data: 'x' };
    const { id } = await createRecord(api, zone.id, record);
    for (let ttl = 1; ttl <= 12; ttl += 1) {
      await api.call('put', `/v1/domains/${zone.id}/records/${id}`, { data: LONG_TEXT, ttl });
    }
    const serials: number[] = [];
    let pages = 0;
    for (let path = `/v1/domains/${zone.id}/changes?limit=1000`; path !== ''; pages += 1) {
      const response = await api.call('get', path).expect(200);
      expect(response.text.length).toBeLessThan(4_000_000);
      const { changes } = response.body as { changes: { serial_after: number }[] };
      serials.push(...changes.map(({ serial_after: serial }) => serial));
      const link = /^<https?:\/\/[^/]+(.*)>; rel="next"$/.exec(response.headers['link'] ?? '');
      path = link?.[1] ?? '';
    }
    expect(pages).toBeGreaterThan(2);
    expect(serials).toHaveLength(14);
    expect(serials).toEqual(serials.toSorted((one, other) => other - one));
  });

  it('lists of long records are complete, although only a few are read at a time', async () => {
    const zone = await createDomain(large);
    const operations = Array.from({ length: 8 }, (_, at) => ({
      action: 'create',
      record: { name: `t${at}.${zone.name}`, type: 'TXT', data: LONG_TEXT },
    }));
    for (const some of [operations.slice(0, 4), operations.slice(4)]) {
      await large.call('post', `/v1/domains/${zone.id}/batch`, { operations: some }).expect(200);
    }
    for (const [query, count] of [
      ['', 8],
      ['?limit=1000', 8],
      ['?limit=7', 7],
      ['?type=TXT', 8],
    ] as const) {
      const listed = await large.call('get', `/v1/domains/${zone.id}/records${query}`);
      expect((listed.body as { records: unknown[] }).records).toHaveLength(count);
    }
    const file = await large.call('get', `/v1/domains/${zone.id}/zonefile`).set('Accept', '*/*');
    expect(file.text.match(/\tTXT\t/g)).toHaveLength(8);
  });
});

describe("Another tenant's domain", () => {
  it('is not locked by requests that name it as a mail target or as a parent', async () => {
    const zone = await createDomain(api);
    const other = await createDomain(api, {}, 'token-b');
    const address = { name: `mail.${other.name}`, type: 'A', data: '192.0.2.1' };
    await api.callAs('token-b', 'post', `/v1/domains/${other.id}/records`, address).expect(200);
    const mx = { name: zone.name, type: 'MX', priority: 1, data: address.name };
    const child = { name: `child.${other.name}`, email: 'a@example.com' };
    await api.db.transaction(async (trx) => {
      // The tenant holds this lock while it changes the zone, and no other tenant has to wait for it.
      await trx.raw('select from dns.domains as d where d.id = ? for no key update', [other.id]);
      expect((await api.call('post', `/v1/domains/${zone.id}/records`, mx)).status).toBe(200);
      expect((await api.call('post', '/v1/domains', child)).status).toBe(403);
      const free = { name: freshName(), email: 'a@example.com' };
      expect((await api.call('post', '/v1/domains', free)).status).toBe(200);
    });
  });

  it('D-ZONE: a long chain of moves that refuse each other gets 400', async () => {
    const zone = await createDomain(api);
    const name = (at: number) => `n${at}.${zone.name}`;
    const records = [];
    for (let at = 0; at < 30; at += 1) {
      records.push(
        await createRecord(api, zone.id, { name: name(at), type: 'CNAME', data: 'x.example.' }),
      );
    }
    // Each record is moved to the name of the next one, which is still in use, so a single move would fail.
    await createRecord(api, zone.id, { name: name(30), type: 'A', data: '192.0.2.1' });
    const operations = records.map(({ id }, at) => ({
      action: 'update',
      id,
      record: { name: name(at + 1) },
    }));
    const body = { operations, atomic: false };
    const response = await api.call('post', `/v1/domains/${zone.id}/batch`, body);
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors[0]?.validator).toBe('chain');
  });
});
