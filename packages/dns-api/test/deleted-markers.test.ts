import { describe, expect, it } from '@jest/globals';
import { newId } from '@zonewright/testkit';
import { createDomain, createRecord } from './support/fixtures.js';
import { insist } from './support/insist.js';
import { type Api, useApi } from './support/use-api.js';

/** A script that deletes each item that it lists sees all items, page by page (D-V2-63). */
const api = useApi();

type Body = Readonly<Record<string, unknown>>;
type Item = { readonly id: string };

/** Lists page by page and deletes the item of each page. Returns the ids. */
async function deleteAll(
  token: string,
  path: string,
  { member, deletes }: { readonly member: string; readonly deletes: (item: Item) => string },
): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer = await api.callAs(token, 'get', next);
    const { status, headers } = answer;
    const body = answer.body as object;
    expect({ status, body: status === 200 ? {} : body }).toEqual({
      status: 200,
      body: {},
    });
    const page = body as Record<string, Item[]> & { links?: { next?: string } };
    for (const item of page[member] ?? []) {
      seen.push(item.id);
      const gone = await api.callAs(token, 'delete', deletes(item));
      expect(gone.status).toBeLessThan(300);
    }
    const link = page.links?.next ?? /<(.*)>/.exec(headers['link'] ?? '')?.[1];
    next = link?.slice(api.url.length);
  }
  return seen;
}

const operator: Pick<Api, 'call'> = {
  call: (...request) => api.callAs('token-operator', ...request),
};

const idOf = (body: unknown) => (body as Item).id;

describe('D-V2-63: a marker that was deleted after its page', () => {
  it.each([
    ['tlds', (name: string): Body => ({ name })],
    ['blacklists', (name: string): Body => ({ pattern: `^${name}$` })],
  ])('does not end a list of %s, in any order', async (member, make) => {
    for (const order of ['', '&sort_key=id&sort_dir=desc']) {
      const made: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const body = make(`x${newId().slice(0, 20)}`);
        const answer = await insist(operator, ['post', `/v2/${member}`, body]);
        expect(answer.status).toBe(201);
        made.push(idOf(answer.body));
      }
      const deletes = ({ id }: Item) => `/v2/${member}/${id}`;
      const path = `/v2/${member}?limit=1${order}`;
      const seen = await deleteAll('token-operator', path, { member, deletes });
      expect(seen.toSorted()).toEqual(made.toSorted());
    }
  });

  it('must come with the position that the link has, or be in the list', async () => {
    const marker = '00000000-0000-4000-8000-000000000000';
    for (const position of ['', '&position=yesterday-ish', '&position=%00']) {
      const path = `/v2/tlds?marker=${marker}${position}`;
      expect((await api.callAs('token-operator', 'get', path)).status).toBe(400);
    }
  });

  it('does not end the lists of zones and of their recordsets', async () => {
    const zones = [await createDomain(api), await createDomain(api), await createDomain(api)];
    for (const { id, name } of zones) {
      for (const label of ['a', 'b']) {
        const name_ = `${label}.${name}`;
        await createRecord(api, id, { name: name_, type: 'A', data: '192.0.2.1' });
      }
    }
    const deletesRecordset = (item: Item) =>
      `/v2/zones/${(item as Item & { zone_id: string }).zone_id}/recordsets/${item.id}`;
    const one = await deleteAll(
      'token-a',
      `/v2/zones/${zones[0]?.id ?? ''}/recordsets?limit=1&type=A`,
      {
        member: 'recordsets',
        deletes: deletesRecordset,
      },
    );
    expect(one).toHaveLength(2);
    const all = await deleteAll('token-a', '/v2/recordsets?limit=1&type=A', {
      member: 'recordsets',
      deletes: deletesRecordset,
    });
    expect(all).toHaveLength(4);
    const listed = await deleteAll('token-a', '/v1/domains?limit=1', {
      member: 'domains',
      deletes: ({ id }) => `/v1/domains/${id}`,
    });
    expect(listed.toSorted()).toEqual(zones.map(({ id }) => id).toSorted());
  });

  it.each(['', '&sort=name', '&sort=-type', '&sort=ttl', '&sort=-updated_at'])(
    'does not end a list of records: limit=1%s',
    async (order) => {
      const { id, name } = await createDomain(api);
      for (const label of ['a', 'b', 'c']) {
        const record = { name: `${label}.${name}`, type: 'A', data: '192.0.2.1' };
        expect((await insist(api, ['post', `/v1/domains/${id}/records`, record])).status).toBe(200);
      }
      const path = `/v1/domains/${id}/records`;
      const seen = await deleteAll('token-a', `${path}?limit=1${order}`, {
        member: 'records',
        deletes: (item) => `${path}/${item.id}`,
      });
      expect(seen).toHaveLength(3);
      const unknown = `${path}?marker=00000000-0000-4000-8000-000000000000`;
      expect((await api.call('get', unknown)).status).toBe(400);
    },
  );
});
