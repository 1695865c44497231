import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  freshName,
  readDomain,
} from './support/fixtures.js';
import { readRecordRows } from './support/journal.js';
import { useApi } from './support/use-api.js';

/** The number of records; `npm run test:faults` imports 100,000. */
const MANY = Number(process.env['IMPORTED_RECORDS'] ?? 20_000);

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000', DNS_API_MAX_DOMAIN_RECORDS: '200000' } });

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api, { ttl: 600, email: 'first.last@example.com' });
});

const path = (rest: string) => `/v1/domains/${zone.id}${rest}`;

const importText = (text: string, query = '', url = path('/import')) =>
  api.call('post', `${url}${query}`).set('Content-Type', 'text/dns').send(text);

async function exportText(): Promise<string> {
  const response = await api.call('get', path('/zonefile')).set('Accept', 'text/dns').expect(200);
  expect(response.headers['content-type']).toBe('text/dns');
  return response.text;
}

async function stored(id = zone.id): Promise<string[]> {
  const rows = await readRecordRows(api.db, id);
  return rows
    .map(({ name, ttl, type, priority, data }) =>
      [name, ttl, type, priority, data]
        .filter((field) => field !== null)
        .map(String)
        .join(' '),
    )
    .sort();
}

const FILE = `
$TTL 600
@       IN SOA ns.old.example. hostmaster.old.example. 1 3600 600 86400 300
        IN NS  ns.old.example.
        IN MX  10 mail
mail    IN A   192.0.2.1
www 60  IN A   192.0.2.2
www     IN TXT "hello; world"
`;

describe('Export (Beyond the specification)', () => {
  it('gives a zone file with SOA and NS, which an import reads without a difference', async () => {
    await api.db.raw(
      `insert into dns.servers (name, position) values ('ns1-1.dns.example.', 1) on conflict do nothing`,
    );
    await createRecord(api, zone.id, { name: `www.${zone.name}`, type: 'A', data: '192.0.2.1' });
    await createRecord(api, zone.id, { name: zone.name, type: 'TXT', data: 'say "hi"', ttl: 5 });
    const text = await exportText();
    const { serial } = await readDomain(api, zone.id);
    expect(text).toContain(
      `@\tIN\tSOA\tns1-1.dns.example. first\\.last.example.com. ${serial} 14400 3600 1209600 300\n`,
    );
    expect(text).toContain('@\tIN\tNS\tns1-1.dns.example.\n');
    const response = await importText(text, '?mode=replace&dry_run=true').expect(200);
    expect(response.body).toMatchObject({ created: 0, updated: 0, deleted: 0, unchanged: 2 });
  });
});

describe('Import (Beyond the specification)', () => {
  it('merge: adds the records, and gives a reason for each line that it skips', async () => {
    await createRecord(api, zone.id, { name: zone.name, type: 'A', data: '192.0.2.9' });
    const response = await importText(`${FILE}
nsec    IN NSEC other.example. A
www     IN CNAME other.example.
out.example.org. IN A 192.0.2.3
mail    IN A   192.0.2.1
mx      IN MX  10 nowhere
`);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ created: 5, updated: 0, deleted: 0, unchanged: 0 });
    const { not_taken: notTaken } = response.body as { not_taken: { line: number }[] };
    expect(notTaken.map(({ line }) => line)).toEqual([3, 4, 10, 11, 12, 13]);
    // The address of a mail server may follow the file.
    expect(response.body).toMatchObject({
      notes: [{ line: 14, severity: 'warning', code: 'mailTarget' }],
    });
    expect(await stored()).toEqual(
      [
        `${zone.name} A 192.0.2.9`,
        `${zone.name} MX 10 mail.${zone.name}`,
        `mail.${zone.name} A 192.0.2.1`,
        `mx.${zone.name} MX 10 nowhere.${zone.name}`,
        `www.${zone.name} 60 A 192.0.2.2`,
        `www.${zone.name} TXT "hello; world"`,
      ].sort(),
    );
  });

  it('replace: removes records that the file does not contain, and changes a TTL in place', async () => {
    await createRecord(api, zone.id, { name: zone.name, type: 'A', data: '192.0.2.9' });
    const www = await createRecord(api, zone.id, {
      name: `www.${zone.name}`,
      type: 'A',
      data: '192.0.2.2',
      description: 'kept',
    });
    const response = await importText(FILE, '?mode=replace');
    expect(response.body).toMatchObject({ created: 3, updated: 1, deleted: 1, unchanged: 0 });
    const read = await api.call('get', path(`/records/${www.id}`));
    expect(read.body).toMatchObject({ ttl: 60, description: 'kept' });
  });

  it('?dry_run=true shows the difference and changes nothing', async () => {
    const response = await importText(FILE, '?dry_run=true');
    expect(response.body).toMatchObject({ dry_run: true, created: 4 });
    const { difference } = response.body as { difference: { create: unknown[] } };
    expect(difference.create).toHaveLength(4);
    expect(await stored()).toEqual([]);
  });

  it('accepts JSON with the file as a member, too', async () => {
    const response = await api.call('post', path('/import'), { zonefile: FILE, mode: 'merge' });
    expect(response.status).toBe(200);
    expect(await stored()).toHaveLength(4);
    const refused = await api.call('post', path('/import'), { mode: 'x', confirm: 1 });
    expect((refused.body as ErrorBody).errors.map((problem) => problem.path).sort()).toEqual([
      'confirm',
      'mode',
      'zonefile',
    ]);
  });

  it('needs "confirm" to remove more than 30% of at least 10 records', async () => {
    const lines = Array.from({ length: 10 }, (_, n) => `r${n} IN A 192.0.2.1`).join('\n');
    await importText(lines).expect(200);
    const refused = await importText(FILE, '?mode=replace');
    expect(refused.status).toBe(400);
    expect((refused.body as ErrorBody).errors).toMatchObject([{ path: 'confirm' }]);
    const confirmed = await importText(FILE, '?mode=replace&confirm=true');
    expect(confirmed.status).toBe(200);
    expect(await stored()).toHaveLength(4);
  });

  it(`imports ${MANY} records at once`, async () => {
    const lines = Array.from({ length: MANY }, (_, n) => `r${n} IN A 192.0.2.${n % 256}`);
    const response = await importText(lines.join('\n'));
    expect(response.body).toMatchObject({ created: MANY, not_taken: [] });
    expect((await readDomain(api, zone.id)).serial).toBe(
      (response.body as { domain: DomainBody }).domain.serial,
    );
  }, 60_000);
});

describe('Import as a new domain (Beyond the specification)', () => {
  it('reads name and email from the SOA', async () => {
    const name = freshName();
    const response = await importText(`$ORIGIN ${name}\n${FILE}`, '', '/v1/domains/import');
    expect(response.status).toBe(200);
    const { domain } = response.body as { domain: DomainBody };
    expect(domain).toMatchObject({ name, email: 'hostmaster@old.example' });
    expect(response.headers['location']).toBe(`${api.url}/v1/domains/${domain.id}`);
    expect(await stored(domain.id)).toHaveLength(4);
  });

  it('or from the request, of which a dry run leaves no trace', async () => {
    const name = freshName();
    const query = `?name=${name}&email=me@example.com`;
    const tried = await importText(FILE, `${query}&dry_run=true`, '/v1/domains/import');
    expect(tried.body).toMatchObject({ dry_run: true, created: 4, domain: { name } });
    const list = await api.call('get', `/v1/domains?name=${name}`);
    expect(list.body).toEqual({ domains: [] });
    const done = await importText(FILE, query, '/v1/domains/import');
    expect(done.body).toMatchObject({ created: 4, domain: { name, email: 'me@example.com' } });
  });

  it.each(['..', 'a..b', 'x'.repeat(300), `xn--${'9'.repeat(60)}`, 'constructor', '\u0000'])(
    'refuses the name %j as any other that no domain can have',
    async (name) => {
      const body = { name, email: 'me@example.com', zonefile: FILE };
      const response = await api.call('post', '/v1/domains/import', body);
      expect(response.status).toBe(400);
      const paths = (response.body as ErrorBody).errors.map(({ path }) => path);
      expect(new Set(paths)).toEqual(new Set(['name']));
    },
  );

  it('reports the line of an invalid SOA record as the first cause', async () => {
    const file = `$ORIGIN ${freshName()}\n@ 60 SOA ns.e. h.e. 20240101001 1 1 1 1\n@ A 192.0.2.1\n`;
    const response = await importText(file, '', '/v1/domains/import');
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([
      { path: 'zonefile:2', message: expect.stringContaining('serial "20240101001"') },
    ]);
  });

  it('RFC 1035 s5.1: without $TTL the last stated TTL applies, then the SOA, then the domain', async () => {
    const name = freshName();
    const soa = `$ORIGIN ${name}\n@ SOA ns.e. h.e. 1 2 3 4 77\n`;
    const created = await importText(
      `${soa}a A 192.0.2.1\nb 60 A 192.0.2.1\nc A 192.0.2.1`,
      '',
      '/v1/domains/import',
    );
    const { domain } = created.body as { domain: DomainBody };
    const shown = (await stored(domain.id)).map((each) => each.replaceAll(`.${name}`, ''));
    expect(shown).toEqual(['a 77 A 192.0.2.1', 'b 60 A 192.0.2.1', 'c 60 A 192.0.2.1']);
    await importText('a A 192.0.2.1\nb 60 A 192.0.2.1\nc A 192.0.2.1');
    const existing = (await stored()).map((each) => each.replaceAll(`.${zone.name}`, ''));
    expect(existing).toEqual(['a A 192.0.2.1', 'b 60 A 192.0.2.1', 'c 60 A 192.0.2.1']);
  });

  it('refuses a file without either', async () => {
    const response = await importText('www IN A 192.0.2.1', '', '/v1/domains/import');
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors.map((problem) => problem.path)).toEqual([
      'name',
      'email',
    ]);
  });
});
