import { beforeAll, describe, expect, it } from '@jest/globals';
import { createDomain, createRecord, type DomainBody, type ErrorBody } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

interface FoundBody {
  readonly domains: DomainBody[];
  readonly records: { id: string; name: string; domain_id: string; domain_name: string }[];
}

async function search(query: string, token = 'token-a') {
  const response = await api.callAs(token, 'get', `/v1/search?${query}`).expect(200);
  const { link } = response.headers as { link?: string };
  const next = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
  return { ...(response.body as FoundBody), next: next && new URL(next).search.slice(1) };
}

const partsOf = (text: string) =>
  Array.from(text, (_, start) =>
    Array.from(text.slice(start), (_character, length) => text.slice(start, start + length + 1)),
  ).flat();
const namesOf = ({ records }: FoundBody) => records.map(({ name }) => name);

let first: DomainBody;
let second: DomainBody;

beforeAll(async () => {
  first = await createDomain(api, { name: 'first.example.', description: 'Main SITE' });
  second = await createDomain(api, { name: 'second.example.' });
  const foreign = await createDomain(api, { name: 'first.test.' }, 'token-b');
  const make = (zone: DomainBody, owner: string, type: string, data: string, rest: object = {}) =>
    createRecord(api, zone.id, { name: `${owner}.${zone.name}`, type, data, ...rest });
  await make(first, 'www', 'A', '192.0.2.1', { description: 'The Web' });
  await make(first, 'text', 'TXT', '"Hello 100% under_score"');
  await make(second, 'mail', 'A', '192.0.2.1');
  await make(second, 'other', 'A', '192.0.2.100');
  await api.callAs('token-b', 'post', `/v1/domains/${foreign.id}/records`, {
    name: `www.${foreign.name}`,
    type: 'A',
    data: '192.0.2.1',
  });
});

describe('Search (Beyond the specification)', () => {
  it('finds part of a name, of data or of a description, in any letter case, in all domains of the tenant', async () => {
    const found = await search('q=192.0.2.1');
    expect(found.records.map(({ name, domain_name }) => [name, domain_name])).toEqual([
      ['www.first.example.', 'first.example.'],
      ['mail.second.example.', 'second.example.'],
      ['other.second.example.', 'second.example.'],
    ]);
    expect(found.next).toBeUndefined();
    expect(namesOf(await search('q=the+WEB'))).toEqual(['www.first.example.']);
    expect(namesOf(await search('q=WWW'))).toEqual(['www.first.example.']);
    expect(namesOf(await search('q=hello&type=txt'))).toEqual(['text.first.example.']);
    expect(namesOf(await search('q=first.example&type=MX'))).toEqual([]);
    expect(namesOf(await search('q=first', 'token-b'))).toEqual(['www.first.test.']);
  });

  it('finds domains by name and description, unless a type is requested', async () => {
    expect((await search('q=main+site')).domains).toMatchObject([{ id: first.id }]);
    expect((await search('q=SECOND')).domains).toMatchObject([{ id: second.id }]);
    expect((await search('q=second&type=A')).domains).toEqual([]);
  });

  it.each(['%25', '_', String.raw`\\`, "'", '*', '100%25', 'under_score'])(
    'takes %s for itself',
    async (text) => {
      const { records } = await search(`q=${encodeURIComponent(decodeURIComponent(text))}`);
      const isThere = '"Hello 100% under_score"'.includes(decodeURIComponent(text));
      expect(records).toHaveLength(isThere ? 1 : 0);
    },
  );

  it('has pages, and the last page has no link', async () => {
    const all = namesOf(await search('q=192.0.2'));
    const found: string[] = [];
    for (let query: string | undefined = 'q=192.0.2&limit=1'; query !== undefined;) {
      const page: Awaited<ReturnType<typeof search>> = await search(query);
      found.push(...namesOf(page));
      query = page.next;
    }
    expect(found).toEqual(all);
  });

  it('reads a limited number of records for one response, and links to the rest', async () => {
    const zones = [
      await createDomain(api, {}, 'token-operator'),
      await createDomain(api, {}, 'token-operator'),
      await createDomain(api, {}, 'token-operator'),
    ];
    const [, , last] = zones;
    const rare = { name: `rare.${last?.name ?? ''}`, type: 'A', data: '192.0.2.1' };
    await api
      .callAs('token-operator', 'post', `/v1/domains/${last?.id ?? ''}/records`, rare)
      .expect(200);
    await api.db.raw('update dns.domains set record_count = 60000 where id = any(?::uuid[])', [
      zones.map(({ id }) => id),
    ]);
    const pages: string[][] = [];
    for (let query: string | undefined = 'q=rare'; query !== undefined;) {
      const page: Awaited<ReturnType<typeof search>> = await search(query, 'token-operator');
      pages.push(namesOf(page));
      query = page.next;
    }
    expect(pages).toEqual([[], [], [`rare.${last?.name ?? ''}`]]);
  });

  it('continues for a page that is not full, and finds nothing twice', async () => {
    const names: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { id, name } = await createDomain(api, {}, 'token-b');
      const record = { name: `each.${name}`, type: 'A', data: '192.0.2.1' };
      await api.callAs('token-b', 'post', `/v1/domains/${id}/records`, record).expect(200);
      await api.db.raw('update dns.domains set record_count = 5000 where id = ?', [id]);
      names.push(record.name);
    }
    const whole = await search('q=each.', 'token-b');
    expect([namesOf(whole), whole.next]).toEqual([names, undefined]);
    const page = await search('q=each.&limit=3', 'token-b');
    expect(namesOf(page)).toEqual(names.slice(0, 3));
    expect(namesOf(await search(page.next ?? '', 'token-b'))).toEqual(names.slice(3));
  });

  it("ADR 0036: finds changes since the domain's text was written, and nothing that was deleted", async () => {
    const zone = await createDomain(api, {}, 'token-viewer');
    const records = `/v1/domains/${zone.id}/records`;
    const add = async (owner: string) => {
      const record = { name: `${owner}.${zone.name}`, type: 'A', data: '192.0.2.1' };
      const made = await api.callAs('token-viewer', 'post', records, record).expect(200);
      return (made.body as { id: string }).id;
    };
    const textOf = async () => {
      const { rows } = await api.db.raw<{ rows: { content: string; serial: number }[] }>(
        'select s.content, s.serial from dns.search_texts as s where s.domain_id = ?',
        [zone.id],
      );
      return rows;
    };
    const found = async (text: string) => namesOf(await search(`q=${text}`, 'token-viewer'));
    const old = await add('OLD');
    expect(await textOf()).toEqual([]);
    expect(await found('nobody')).toEqual([]);
    expect(await textOf()).toMatchObject([{ content: 'old.\n192.0.2.1' }]);
    expect(await found('old.')).toEqual([`old.${zone.name}`]);
    // The change is recent, so the search reads the records and does not write the text again.
    await add('new');
    expect(await found('new.')).toEqual([`new.${zone.name}`]);
    expect(await textOf()).toMatchObject([{ content: expect.not.stringContaining('new.') }]);
    await api.db.raw(`update dns.search_texts set made_at = now() - interval '1 hour'`);
    await api.callAs('token-viewer', 'delete', `${records}/${old}`).expect(200);
    expect(await found('old.')).toEqual([]);
    expect(await textOf()).toMatchObject([{ content: 'new.\n192.0.2.1' }]);
    // A text with the domain's current serial is trusted, so its records are not read.
    await api.db.raw(`update dns.search_texts set content = 'else' where domain_id = ?`, [zone.id]);
    expect(await found('new.')).toEqual([]);
  });

  it('ADR 0036: finds every part of a name, whether it lies before the name of the domain, in it or across', async () => {
    const zone = await createDomain(api, { name: 'a.a.b-part.example.' }, 'token-viewer');
    const names = ['', 'a.', 'x.a.', '*.y.a.'].map((owner) => `${owner}${zone.name}`);
    for (const name of names) {
      const record = { name, type: 'A', data: '192.0.2.1' };
      await api
        .callAs('token-viewer', 'post', `/v1/domains/${zone.id}/records`, record)
        .expect(200);
    }
    await search('q=nobody', 'token-viewer');
    for (const part of new Set(names.flatMap(partsOf))) {
      const found = await search(`type=A&q=${encodeURIComponent(part)}`, 'token-viewer');
      expect(namesOf(found)).toEqual(
        expect.arrayContaining(names.filter((name) => name.includes(part))),
      );
    }
  });

  it('extended=true finds disabled records and tags, and tag finds records with it; otherwise neither is shown', async () => {
    const zone = await createDomain(api, { name: 'flagged.example.' }, 'token-viewer');
    const add = async (owner: string, flags: object) => {
      const record = { name: `${owner}.${zone.name}`, type: 'A', data: '192.0.2.9', ...flags };
      const path = `/v1/domains/${zone.id}/records?extended=true`;
      await api.callAs('token-viewer', 'post', path, record).expect(200);
    };
    await add('plain', {});
    await add('off', { disabled: true, tags: ['Office', 'x'] });
    await add('tagged', { tags: ['office', 'a"b'] });
    const found = async (query: string) =>
      (await search(query, 'token-viewer')).records
        .filter((record) => record.domain_id === zone.id)
        .map(({ name }) => name.split('.')[0]);
    // The search runs before the domain's text exists, and then uses it.
    for (const _hasText of [false, true]) {
      expect(await found('q=192.0.2.9')).toEqual(['plain', 'tagged']);
      expect(await found('q=office')).toEqual([]);
      expect(await found('q=192.0.2.9&extended=true')).toEqual(['plain', 'off', 'tagged']);
      expect(await found('q=OFF&extended=true')).toEqual(['off', 'tagged']);
      expect(await found('tag=office')).toEqual(['tagged']);
      expect(await found('tag=Office&q=off.flagged')).toEqual(['off']);
      expect(await found('tag=a%22b')).toEqual(['tagged']);
      expect(await found('tag=offic')).toEqual([]);
      expect(await found('tag=office&type=MX')).toEqual([]);
    }
    const { records, domains } = await search('tag=Office', 'token-viewer');
    expect([domains, records]).toMatchObject([[], [{ disabled: true, tags: ['Office', 'x'] }]]);
    const plain = await search('q=plain.flagged', 'token-viewer');
    expect(plain.records[0]).not.toHaveProperty('disabled');
    const page = await search('q=192.0.2.9&extended=true&limit=2', 'token-viewer');
    expect(namesOf(page)).toContain(`off.${zone.name}`);
  });

  it('a domain with more disabled records than others has no text, and disabled records count for a response', async () => {
    const zone = await createDomain(api, { name: 'off.example.' }, 'token-viewer');
    const record = { name: `a.${zone.name}`, type: 'A', data: '192.0.2.8', disabled: true };
    const path = `/v1/domains/${zone.id}/records?extended=true`;
    await api.callAs('token-viewer', 'post', path, record).expect(200);
    for (let n = 0; n < 2; n += 1) {
      const found = await search('q=192.0.2.8&extended=true', 'token-viewer');
      expect(namesOf(found)).toEqual([record.name]);
    }
    const { rows } = await api.db.raw<{ rows: unknown[] }>(
      'select from dns.search_texts as s where s.domain_id = ?',
      [zone.id],
    );
    expect(rows).toEqual([]);
  });

  it.each([
    '',
    'tag=',
    'q=x&extended=maybe',
    'q=',
    `q=${'x'.repeat(256)}`,
    'q=x&type=NOPE',
    'q=x&marker=x',
    'q=x&limit=0',
    'q=%00',
  ])('%s gets 400', async (query) => {
    const response = await api.call('get', `/v1/search?${query}`);
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors.length).toBeGreaterThan(0);
  });

  it('a marker of another tenant is invalid', async () => {
    for (const marker of [first.id, (await search('q=www')).records[0]?.id ?? '']) {
      const response = await api.callAs('token-b', 'get', `/v1/search?q=x&marker=${marker}`);
      expect(response.status).toBe(400);
    }
  });
});

describe('q in lists', () => {
  const list = async (path: string) => (await api.call('get', path).expect(200)).body as unknown;

  it('filters records by name, data and description', async () => {
    const records = `/v1/domains/${first.id}/records`;
    for (const [text, count] of [
      ['WWW', 1],
      ['hello', 1],
      ['the web', 1],
      ['example', 2],
      ['%', 1],
    ] as const) {
      const found = (await list(`${records}?q=${encodeURIComponent(text)}`)) as FoundBody;
      expect([text, found.records.length]).toEqual([text, count]);
    }
    const { headers } = await api.call('get', `${records}?q=www&total=true`);
    expect(headers).toMatchObject({ 'x-total-count': '1' });
    expect(((await list(records)) as FoundBody).records).toHaveLength(2);
  });

  it('filters domains by name and description', async () => {
    for (const [text, ids] of [
      ['FIRST', [first.id]],
      ['main', [first.id]],
      ['.example', [first.id, second.id]],
    ] as const) {
      const found = (await list(`/v1/domains?q=${text}`)) as FoundBody;
      expect(found.domains.map(({ id }) => id)).toEqual(ids);
    }
    const { headers } = await api.call('get', '/v1/domains?q=first&total=true');
    expect(headers).toMatchObject({ 'x-total-count': '1' });
  });
});

describe('sort in lists', () => {
  const page = async (path: string, member: 'domains' | 'records') => {
    const response = await api.call('get', path).expect(200);
    const body = response.body as Record<string, { id: string }[]>;
    const link = /^<([^>]+)>/.exec((response.headers as { link?: string }).link ?? '')?.[1];
    const url = new URL(link ?? '/', api.url);
    return {
      ids: (body[member] ?? []).map(({ id }) => id),
      next: link === undefined ? undefined : url.pathname + url.search,
    };
  };
  const all = async (path: string, member: 'domains' | 'records') => {
    const whole = await page(path, member);
    const paged: string[] = [];
    for (let next: string | undefined = `${path}&limit=1`; next !== undefined;) {
      const one: Awaited<ReturnType<typeof page>> = await page(next, member);
      paged.push(...one.ids);
      next = one.next;
    }
    expect(paged).toEqual(whole.ids);
    return whole.ids;
  };

  it.each(['created_at', 'updated_at', 'name', 'type', 'ttl'])(
    'orders records by %s, whole and page by page, and in reverse with a minus',
    async (key) => {
      const path = `/v1/domains/${second.id}/records`;
      await createRecord(api, second.id, {
        name: `a-${key.replace('_', '-')}.${second.name}`,
        type: 'TXT',
        data: 't',
        ttl: 7,
      });
      const up = await all(`${path}?sort=${key}`, 'records');
      expect(await all(`${path}?sort=-${key}`, 'records')).toEqual(up.toReversed());
      if (key !== 'name') return;
      const { body } = (await api.call('get', `${path}?sort=name`)) as { body: FoundBody };
      expect(namesOf(body)).toEqual(namesOf(body).toSorted());
    },
  );

  it.each(['created_at', 'updated_at', 'name', 'ttl', 'serial', 'record_count'])(
    'orders domains by %s',
    async (key) => {
      const up = await all(`/v1/domains?sort=${key}`, 'domains');
      expect(up.length).toBeGreaterThan(1);
      expect(await all(`/v1/domains?sort=-${key}`, 'domains')).toEqual(up.toReversed());
    },
  );

  it('returns 400 for an unknown key', async () => {
    for (const path of ['/v1/domains', `/v1/domains/${first.id}/records`]) {
      for (const sort of ['', 'data', '-', '--name', 'name,ttl', 'constructor']) {
        expect((await api.call('get', `${path}?sort=${sort}`)).status).toBe(400);
      }
    }
  });
});
