import { describe, expect, it } from '@jest/globals';
import { createDomain, type ErrorBody, freshName } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi();

interface ZonesBody {
  readonly zones: readonly { readonly id: string; readonly name: string }[];
  readonly links: { readonly self: string; readonly next?: string };
  readonly metadata: { readonly total_count: number };
}

describe('List Zones (v2)', () => {
  it('shows zones created in v1, page by page, with their total number', async () => {
    const made = [await createDomain(api), await createDomain(api), await createDomain(api)];
    const seen: string[] = [];
    let target: string | undefined = '/v2/zones?limit=2&sort_key=name&sort_dir=desc';
    while (target !== undefined) {
      const response = await api.call('get', target);
      expect(response.status).toBe(200);
      const { zones, links, metadata } = response.body as ZonesBody;
      expect(metadata).toEqual({ total_count: 3 });
      expect(links.self).toBe(`${api.url}${target}`);
      seen.push(...zones.map(({ name }) => name));
      target = links.next?.slice(api.url.length);
    }
    expect(seen).toEqual(
      made
        .map(({ name }) => name)
        .toSorted()
        .toReversed(),
    );
  });

  it('the members are those of Designate; no nameserver answers with it: PENDING', async () => {
    const domain = await createDomain(api);
    const response = await api.call('get', `/v2/zones?name=${domain.name}`);
    expect((response.body as ZonesBody).zones).toEqual([
      {
        id: domain.id,
        name: domain.name,
        type: 'PRIMARY',
        email: domain.email,
        ttl: domain.ttl,
        description: domain.description,
        serial: domain.serial,
        status: 'PENDING',
        action: 'CREATE',
        version: 1,
        pool_id: '794ccc2c-d751-44fe-b57f-8894c9f5c842',
        project_id: 'tenant-a',
        masters: [],
        attributes: {},
        transferred_at: null,
        created_at: domain.created_at,
        updated_at: null,
        links: { self: `${api.url}/v2/zones/${domain.id}` },
      },
    ]);
  });

  it.each([
    { masters: [], type: 'SECONDARY' },
    { masters: ['192.0.2.1'] },
    { attributes: { tier: 7 } },
    { attributes: ['a'] },
    { attributes: { 'a\0': 'b' } },
  ])('a zone with %j: 400', async (members) => {
    const [member] = Object.keys(members);
    const body = { name: freshName(), email: 'a@example.com', ...members };
    const response = await api.call('post', '/v2/zones', body);
    expect(response.status).toBe(400);
    const { errors } = response.body as ErrorBody;
    expect(errors.map(({ path }) => path.split('.')[0])).toEqual([member]);
  });

  it('attributes of a new zone are stored and shown; a change does not affect them', async () => {
    const attributes = { tier: 'gold' };
    const body = { name: freshName(), email: 'a@example.com', attributes };
    const made = await api.call('post', '/v2/zones', body);
    expect(made.body).toMatchObject({ attributes });
    const path = `/v2/zones/${(made.body as { id: string }).id}`;
    const changed = await api.call('patch', path, { ttl: 60, attributes: {} });
    expect(changed.body).toMatchObject({ attributes, ttl: 60 });
    expect((await api.call('get', path)).body).toMatchObject({ attributes });
  });

  it('in a filter * matches any text, and all other characters match themselves', async () => {
    const { name } = await createDomain(api);
    const find = async (filter: string) =>
      ((await api.call('get', `/v2/zones?name=${filter}`)).body as ZonesBody).zones.map(
        (zone) => zone.name,
      );
    expect(await find(`${name.slice(0, 8)}*`)).toContain(name);
    expect(await find('*')).toContain(name);
    expect(await find('%25')).toEqual([]);
    expect(await find('_*')).toEqual([]);
  });

  it.each([
    ['?nonsense=1', 'nonsense'],
    ['?limit=0', 'limit'],
    ['?limit=x', 'limit'],
    ['?sort_key=tenant_id', 'sort_key'],
    ['?sort_dir=up', 'sort_dir'],
    ['?name=', 'name'],
    ['?marker=x', 'marker'],
    ['?marker=00000000-0000-4000-8000-000000000000', 'marker'],
    ['?limit=1&limit=2', 'limit'],
  ])('%s is 400, with the name of the parameter', async (query, path) => {
    const response = await api.call('get', `/v2/zones${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ path }] });
  });

  it('X-Auth-All-Projects and X-Auth-Sudo-Project-ID are for operators', async () => {
    const { name } = await createDomain(api);
    const headers: [string, string][] = [
      ['X-Auth-All-Projects', 'True'],
      ['X-Auth-Sudo-Project-ID', 'tenant-a'],
    ];
    for (const [header, value] of headers) {
      const call = (token: string) =>
        api.callAs(token, 'get', `/v2/zones?name=${name}`).set(header, value);
      expect((await call('token-b')).status).toBe(403);
      const response = await call('token-operator');
      expect((response.body as ZonesBody).zones).toMatchObject([{ name, project_id: 'tenant-a' }]);
    }
  });

  it('errors have the form of v2, also for unknown paths', async () => {
    const response = await api.call('get', '/v2/nothing');
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ code: 404, type: 'not_found', errors: [] });
    const unknown = await api.callAs(undefined, 'get', '/v2/zones');
    expect(unknown.body).toMatchObject({ code: 401, type: 'unauthorized' });
  });
});

describe('Lists of names (v2)', () => {
  const namesOf = async (path: string, member: string) => {
    const response = await api.call('get', path).expect(200);
    const lists = response.body as Record<string, { name: string }[]>;
    return lists[member]?.map(({ name }) => name);
  };

  it(
    String.raw`a filter takes \* for an asterisk, so a wildcard is found by its exact name`,
    async () => {
      const zone = await createDomain(api);
      const path = `/v2/zones/${zone.id}/recordsets`;
      for (const label of ['*', 'www', '*.www']) {
        const body = { name: `${label}.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
        await api.call('post', path, body).expect(202);
      }
      const exact = encodeURIComponent(String.raw`\*.${zone.name.toUpperCase()}`);
      expect(await namesOf(`${path}?name=${exact}`, 'recordsets')).toEqual([`*.${zone.name}`]);
      const any = encodeURIComponent(String.raw`\*.*${zone.name}`);
      const wildcards = [`*.www.${zone.name}`, `*.${zone.name}`];
      expect(await namesOf(`${path}?name=${any}`, 'recordsets')).toEqual(wildcards);
    },
  );

  it('a page that ends with a zone deleted since leads to the next page', async () => {
    const zones = [await createDomain(api), await createDomain(api), await createDomain(api)];
    const [first, second, third] = zones.map(({ id }) => id);
    await api.call('delete', `/v2/zones/${second ?? ''}`).expect(202);
    const page = async (marker: string | undefined) => {
      const path = `/v2/zones?sort_key=created_at&marker=${marker ?? ''}`;
      const response = await api.call('get', path).expect(200);
      return (response.body as { zones: { id: string }[] }).zones.map(({ id }) => id);
    };
    expect(await page(second)).toEqual([third]);
    expect(await page(first)).toEqual([third]);
    const foreign = await api.callAs('token-b', 'get', `/v2/zones?marker=${second ?? ''}`);
    expect(foreign.body).toMatchObject({ code: 400, type: 'marker_not_found' });
  });

  it('a page that ends with a recordset deleted since leads to the next page', async () => {
    const zone = await createDomain(api);
    const path = `/v2/zones/${zone.id}/recordsets`;
    const ids: string[] = [];
    for (const label of ['a', 'b', 'c']) {
      const body = { name: `${label}.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
      const made = await api.call('post', path, body).expect(202);
      ids.push((made.body as { id: string }).id);
    }
    const [, second = '', third = ''] = ids;
    await api.call('delete', `${path}/${second}`).expect(202);
    const behind = `${path}?type=A&marker=${second}`;
    expect(await namesOf(behind, 'recordsets')).toEqual([`c.${zone.name}`]);
    await api.call('delete', `${path}/${third}`).expect(202);
    expect(await namesOf(behind, 'recordsets')).toEqual([]);
    const other = await createDomain(api);
    const elsewhere = await api.call('get', `/v2/zones/${other.id}/recordsets?marker=${second}`);
    expect(elsewhere.body).toMatchObject({ code: 400, type: 'marker_not_found' });
  });
});
