import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDomain, createRecord, type DomainBody, type ErrorBody } from './support/fixtures.js';
import { addServers } from './support/nameserver-reports.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

interface LineBody {
  readonly line: number;
  readonly reason: string;
  readonly severity: string;
  readonly code: string;
  readonly text: string;
}

let zone: DomainBody;

beforeAll(async () => {
  await addServers(api.db);
});
beforeEach(async () => {
  zone = await createDomain(api);
});

const importText = (text: string, query = '') =>
  api
    .call('post', `/v1/domains/${zone.id}/import${query}`)
    .set('Content-Type', 'text/dns')
    .send(text);

const replace = (text: string, query = '') => importText(text, `?mode=replace${query}`);

const add = (label: string, data = '192.0.2.1') =>
  createRecord(api, zone.id, { name: `${label}.${zone.name}`, type: 'A', data });

async function stored(): Promise<string[]> {
  const list = await api.call('get', `/v1/domains/${zone.id}/records`).expect(200);
  const { records } = list.body as { records: { name: string; type: string; data: string }[] };
  return records.map(({ name, type, data }) => `${name.split('.')[0] ?? ''} ${type} ${data}`);
}

const pathsOf = (body: unknown) => (body as ErrorBody).errors.map(({ path }) => path);

describe('Import with mode=replace (D-ZONE-53)', () => {
  it('a file without records gets 400, whatever it contains', async () => {
    for (const label of ['a', 'b', 'c', 'd']) await add(label);
    for (const text of ['<html>oops</html>', '; nothing', `@ IN SOA a. b. 1 2 3 4 5\n`]) {
      const response = await replace(text);
      expect({ text, status: response.status }).toEqual({ text, status: 400 });
    }
    expect(pathsOf((await replace('; nothing')).body)).toEqual(['zonefile']);
    expect(await stored()).toHaveLength(4);
  });

  it('an invalid line gets 400 with all such lines, and nothing is done', async () => {
    await add('www');
    const response = await replace(
      'www A 192.0.2.2\nbad A 999.9.9.9\nfine A 192.0.2.3\nout.example.org. A 192.0.2.4\n',
    );
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([
      { path: 'zonefile:2', message: expect.stringMatching(/^line 2: /) },
      { path: 'zonefile:4', validator: 'insideDomain' },
    ]);
    expect(await stored()).toEqual(['www A 192.0.2.1']);
  });

  it('a line that violates a rule is invalid, too', async () => {
    const response = await replace('www A 192.0.2.2\nwww CNAME other.example.\n');
    expect(pathsOf(response.body)).toEqual(['zonefile:2']);
  });

  it('lists 99 such lines and the number of the others', async () => {
    const response = await replace(Array.from({ length: 250 }, () => 'x A y').join('\n'));
    const { errors } = response.body as ErrorBody;
    expect(errors).toHaveLength(100);
    expect(errors.at(-1)?.message).toContain('151 more lines');
  });

  it('types that are unsupported, or written by the service, are not errors', async () => {
    const file = `@ SOA a. b. 1 2 3 4 5\n@ NS ns1-1.ns.example.\n@ DNSKEY 257 3 13 AAAA\nwww A 192.0.2.1\n`;
    expect((await replace(file)).body).toMatchObject({ created: 1 });
  });

  it('on_error=skip skips invalid lines; with merge they are always skipped', async () => {
    await add('www');
    const file = 'www A 192.0.2.1\nbad A 999.9.9.9\nnew A 192.0.2.5\n';
    expect((await replace(file)).status).toBe(400);
    expect((await importText(file, '?on_error=refuse')).status).toBe(400);
    expect((await replace(file, '&on_error=skip')).body).toMatchObject({ created: 1, deleted: 0 });
    expect((await importText(file)).body).toMatchObject({ created: 0, unchanged: 2 });
  });

  it('needs "confirm" if all records would be removed, also in a small domain', async () => {
    await add('www');
    const refused = await replace('new A 192.0.2.5');
    expect(refused.status).toBe(400);
    expect(pathsOf(refused.body)).toEqual(['confirm']);
    const empty = await replace('; nothing', '&on_error=skip');
    expect(pathsOf(empty.body)).toEqual(['confirm']);
    expect(await stored()).toEqual(['www A 192.0.2.1']);
    expect((await replace('new A 192.0.2.5', '&confirm=true')).status).toBe(200);
    expect(await stored()).toEqual(['new A 192.0.2.5']);
  });

  it('?dry_run=true shows the whole result, and whether and why it would be refused', async () => {
    await add('www');
    const response = await replace('bad A 999.9.9.9\nnew A 192.0.2.1', '&dry_run=true');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      dry_run: true,
      outcome: 'would_refuse',
      errors: [{ path: 'zonefile:1' }],
      created: 1,
      deleted: 1,
    });
    const fine = await importText('new A 192.0.2.1', '?dry_run=true');
    expect(fine.body).toMatchObject({ outcome: 'would_apply', errors: [] });
  });

  it.each(['mode', 'on_error', 'confirm', 'name'])(
    'with JSON the query parameter %s would be ignored, so it gets 400',
    async (name) => {
      const path = `/v1/domains/import?${name}=true`;
      const response = await api.call('post', path, { zonefile: 'x A 192.0.2.1' });
      expect(response.status).toBe(400);
      expect(pathsOf(response.body)).toContain(name);
    },
  );
});

describe('Lines that are not taken (D-ZONE)', () => {
  it('have a severity, a code and their text', async () => {
    const response = await importText(
      [
        '@ SOA a. b. 1 2 3 4 5',
        '@ NS NS1-1.ns.example.',
        'www A 192.0.2.1',
        'www A 192.0.2.1',
        'nsec NSEC other.example. A',
        `bad A 999.9.9.9 ; ${'x'.repeat(500)}`,
        'www CNAME other.example.',
        '<html>',
      ].join('\r\n'),
    );
    const { not_taken: lines } = response.body as { not_taken: LineBody[] };
    expect(
      lines.map(({ line, severity, code, text }) => `${line} ${severity} ${code}: ${text}`),
    ).toEqual([
      '1 info soa: @ SOA a. b. 1 2 3 4 5',
      '2 info service-ns: @ NS NS1-1.ns.example.',
      '4 info duplicate: www A 192.0.2.1',
      '5 warning unsupported-type: nsec NSEC other.example. A',
      `6 error syntax: bad A 999.9.9.9 ; ${'x'.repeat(102)}`,
      '7 error alone: www CNAME other.example.',
      '8 error syntax: <html>',
    ]);
  });

  it('end with whole characters', async () => {
    const response = await importText(`x A ${'🦊'.repeat(200)}`);
    const { not_taken: lines } = response.body as { not_taken: LineBody[] };
    expect(lines[0]?.text).toMatch(/^x A 🦊+$/u);
  });
});

describe('NS records at the apex (D-ZONE)', () => {
  const ns = (data: string) => createRecord(api, zone.id, { name: zone.name, type: 'NS', data });

  async function exportText(): Promise<string> {
    const path = `/v1/domains/${zone.id}/zonefile`;
    return (await api.call('get', path).set('Accept', 'text/dns').expect(200)).text;
  }

  it("a user's NS records survive a replacement by the domain's own export, and are restored by it", async () => {
    const own = await ns('ns.partner.example.');
    await add('www');
    const text = await exportText();
    expect((await replace(text)).body).toMatchObject({ created: 0, deleted: 0, unchanged: 2 });
    await api.call('delete', `/v1/domains/${zone.id}/records/${own.id}`).expect(200);
    expect((await importText(text)).body).toMatchObject({ created: 1, unchanged: 1 });
    expect((await stored()).sort()).toEqual([
      'www A 192.0.2.1',
      `${zone.name.split('.')[0] ?? ''} NS ns.partner.example.`,
    ]);
  });

  it("NS records of another service's file are not imported, but existing ones are kept", async () => {
    await ns('ns.kept.example.');
    const file = '@ NS ns.kept.example.\n@ NS ns.left.example.\nwww A 192.0.2.1\n';
    const response = await replace(file);
    expect(response.body).toMatchObject({
      created: 1,
      deleted: 0,
      unchanged: 1,
      not_taken: [{ line: 2, severity: 'warning', code: 'other-ns' }],
    });
  });
});
