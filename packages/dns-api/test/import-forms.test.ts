import { beforeEach, describe, expect, it } from '@jest/globals';
import { createDomain, type DomainBody, type ErrorBody, freshName } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const send = (path: string, file: string | Buffer) =>
  api.call('post', path).set('Content-Type', 'text/dns').send(file);
const READ = '/v1/domains/import/read';

interface ReadBody {
  readonly records: readonly Record<string, unknown>[];
  readonly notes: readonly { line: number; reason: string; code: string }[];
}

describe('A file of another provider (ADR 0070)', () => {
  it('Cloudflare: comments and tags are stored, and records that become public are named', async () => {
    const name = `www.${zone.name}`;
    const file = `;; Domain:     ${zone.name}\n${name}\t1\tIN\tA\t192.0.2.1 ; shop cf_tags=cf-proxied:true,web\n`;
    const response = await send(`/v1/domains/${zone.id}/import`, file).expect(200);
    expect(response.body).toMatchObject({
      form: 'cloudflare',
      created: 1,
      not_taken: [],
      notes: [
        { line: 2, severity: 'warning', code: 'proxied', reason: expect.stringContaining(name) },
      ],
    });
    const list = await api.call('get', `/v1/domains/${zone.id}/records?extended=true`).expect(200);
    expect(list.body).toMatchObject({
      records: [{ name, ttl: 300, description: 'shop', tags: ['web'] }],
    });
  });

  it('JSON and tables are imported like zone files', async () => {
    const sets = [
      { Name: zone.name, Type: 'A', AliasTarget: { DNSName: 'lb.example.net.' } },
      { Name: `\\052.${zone.name}`, Type: 'A', TTL: 60, ResourceRecords: [{ Value: '192.0.2.1' }] },
    ];
    const path = `/v1/domains/${zone.id}/import`;
    const json = await send(path, JSON.stringify({ ResourceRecordSets: sets })).expect(200);
    expect(json.body).toMatchObject({
      form: 'route53',
      created: 1,
      not_taken: [{ severity: 'warning', code: 'alias' }],
    });
    const table = await send(
      `${path}?mode=replace`,
      'name,type,value\n*,A,192.0.2.1\nwww,CNAME,@\n',
    );
    expect(table.body).toMatchObject({ form: 'table', created: 1, updated: 1, deleted: 0 });
  });

  it('a table is read by the columns that the request lists', async () => {
    const zonefile = 'Art;Eintrag;Wert\nA;www;192.0.2.1\n';
    const columns = ['type', 'name', 'data'];
    const path = `/v1/domains/${zone.id}/import`;
    const read = await api.call('post', READ).send({ zonefile, name: zone.name, columns });
    expect(read.body).toMatchObject({ form: 'table', columns, record_count: 1, not_taken: [] });
    const query = await send(`${path}?columns=type,name,data&dry_run=true`, zonefile).expect(200);
    expect(query.body).toMatchObject({ form: 'table', created: 1 });
    const body = await api.call('post', path).send({ zonefile, columns }).expect(200);
    expect(body.body).toMatchObject({ form: 'table', created: 1 });
    for (const wrong of [['type', 'name'], ['type', 'name', 'data', 'name'], 'type', ['A']]) {
      const refused = await api.call('post', READ).send({ zonefile, columns: wrong });
      expect(refused.status).toBe(400);
      expect((refused.body as ErrorBody).errors).toMatchObject([{ path: 'columns' }]);
    }
  });

  it('an unknown form gets one sentence, for each way to import', async () => {
    for (const path of [`/v1/domains/${zone.id}/import`, '/v1/domains/import', READ]) {
      const response = await send(path, '<!doctype html>\n<p>1\n<p>2\n');
      expect(response.status).toBe(400);
      expect((response.body as ErrorBody).errors).toMatchObject([
        { path: 'zonefile', message: expect.stringContaining('web page') },
      ]);
    }
  });

  it.each([
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'a "\\195\\188"'],
    ['Latin 1', (text: string) => Buffer.from(text, 'latin1'), 'a "\\252"'],
  ])('%s is read without damage to its letters', async (_what, encode) => {
    const file = encode(`$ORIGIN ${zone.name}\na 60 TXT "ü"\n`);
    const response = await send(READ, file).expect(200);
    expect(response.body).toMatchObject({ record_count: 1, domain: zone.name });
  });
});

describe('Read a File to Import', () => {
  it('returns the domain, its e-mail address, the records and the skipped lines', async () => {
    const name = freshName();
    const file = `$ORIGIN ${name}\n$TTL 60\n@ SOA ns.e. h.example.com. 1 2 3 4 5\nwww A 192.0.2.1\nwww 70 A 192.0.2.1\nx A y\n`;
    const response = await send(READ, file).expect(200);
    expect(response.body).toMatchObject({
      form: 'bind',
      domain: name,
      email: 'h@example.com',
      records: [{ line: 4, name: `www.${name}`, type: 'A', ttl: 60, data: '192.0.2.1', tags: [] }],
      record_count: 1,
      not_taken: [
        { line: 3, code: 'soa' },
        { line: 5, code: 'duplicate' },
        { line: 6, code: 'syntax' },
      ],
      not_taken_count: 3,
      notes: [],
    });
    const list = await api.call('get', `/v1/domains?name=${name}`);
    expect(list.body).toEqual({ domains: [] });
  });

  it('uses the domain of the request if the file does not name one, and has none otherwise', async () => {
    const file = 'www,A,192.0.2.1\n';
    const unnamed = await send(READ, file).expect(200);
    expect(unnamed.body).toMatchObject({
      form: 'table',
      domain: null,
      records: [],
      record_count: 1,
    });
    const named = await send(`${READ}?name=shop.example.`, file).expect(200);
    expect(named.body).toMatchObject({
      domain: 'shop.example.',
      records: [{ name: 'www.shop.example.' }],
    });
    const json = await api.call('post', READ, { zonefile: file, name: 'shop.example.' });
    expect(json.body).toEqual(named.body);
  });

  it('shows a thousand records of a longer file', async () => {
    const lines = Array.from({ length: 1_200 }, (_, n) => `r${n} 60 A 192.0.2.1`);
    const response = await send(`${READ}?name=shop.example.`, lines.join('\n')).expect(200);
    expect((response.body as ReadBody).records).toHaveLength(1_000);
    expect(response.body).toMatchObject({ record_count: 1_200 });
  });

  it('refuses unknown members, with all problems at once', async () => {
    const response = await api.call('post', READ, { zonefile: 1, name: 2, mode: 'merge' });
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors.map(({ path }) => path).sort()).toEqual([
      'mode',
      'name',
      'zonefile',
    ]);
    expect((await send(`${READ}?name=a..b`, 'x A 192.0.2.1')).status).toBe(400);
    expect((await api.call('post', `${READ}?name=x.example.`, { zonefile: 'x' })).status).toBe(400);
  });
});
