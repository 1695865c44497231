import { describe, expect, it } from '@jest/globals';
import { insist } from './support/insist.js';
import { useApi } from './support/use-api.js';

/** Names of zones keep the letter case of their creation for show, and are compared without it (D-ZONE-127). */
const api = useApi();
let count = 0;

interface Shown {
  readonly id: string;
  readonly name: string;
}

/** Returns a new name, as it is written and in lower case. */
function newName(): { readonly written: string; readonly canonical: string } {
  count += 1;
  const written = `ACPTTEST-Shown${count}.Com.`;
  return { written, canonical: written.toLowerCase() };
}

async function createV1(name: string): Promise<Shown> {
  const body = { name, email: 'a@example.com' };
  const answer = await insist(api, ['post', '/v1/domains', body]);
  expect(answer.status).toBe(200);
  return answer.body as Shown;
}

async function createV2(name: string): Promise<Shown> {
  const body = { name, email: 'a@example.com' };
  const answer = await insist(api, ['post', '/v2/zones', body]);
  expect(answer.status).toBe(202);
  return answer.body as Shown;
}

describe('D-ZONE-127: the name of a zone', () => {
  it.each([
    ['v1', createV1],
    ['v2', createV2],
  ])('is shown as it was written at its creation (%s)', async (_, create) => {
    const { written, canonical } = newName();
    const { id, name } = await create(written);
    expect(name).toBe(written);
    const v1 = await api.call('get', `/v1/domains/${id}`);
    const v2 = await api.call('get', `/v2/zones/${id}`);
    const found = await api.call('get', `/v1/domains?name=${canonical.toUpperCase()}`);
    const found2 = await api.call('get', `/v2/zones?name=${canonical.toUpperCase()}`);
    const part = await api.call('get', `/v2/zones?name=${canonical.slice(0, -4)}*`);
    expect([v1.body, v2.body]).toMatchObject([{ name: written }, { name: written }]);
    expect(found.body).toMatchObject({ domains: [{ id, name: written }] });
    expect(found2.body).toMatchObject({ zones: [{ id, name: written }] });
    expect(part.body).toMatchObject({ zones: [{ id, name: written }] });
    const search = await api.call('get', `/v1/search?q=${canonical.slice(0, -1)}`);
    expect(search.body).toMatchObject({ domains: [{ id, name: written }] });
  });

  it('is the same name in any case: a second creation is refused, and a change does not rename', async () => {
    const { written, canonical } = newName();
    const { id } = await createV1(written);
    const body = { name: canonical, email: 'a@example.com' };
    expect((await api.call('post', '/v1/domains', body)).status).toBe(409);
    expect((await api.call('post', '/v2/zones', body)).status).toBe(409);
    const changed = await api.call('put', `/v1/domains/${id}`, { name: canonical, ttl: 700 });
    expect(changed.body).toMatchObject({ name: written, ttl: 700 });
  });

  it('is followed by the names of its recordsets in v2; labels below it are in lower case', async () => {
    const { written, canonical } = newName();
    const { id } = await createV2(written);
    // The calls of gophercloud's acceptance tests.
    const apex = { name: written, type: 'A', ttl: 3600, records: ['10.1.0.2'] };
    const path = `/v2/zones/${id}/recordsets`;
    expect((await api.call('post', path, apex)).body).toMatchObject({
      name: written,
      zone_name: written,
    });
    const below = { ...apex, name: `WWW.${canonical}` };
    expect((await api.call('post', path, below)).body).toMatchObject({ name: `www.${written}` });
    const listed = await api.call('get', `${path}?name=www.${canonical}`);
    expect(listed.body).toMatchObject({ recordsets: [{ name: `www.${written}` }] });
    const managed = await api.call('get', `${path}?type=SOA`);
    expect(managed.body).toMatchObject({ recordsets: [{ name: written }] });
    // Version 1 and files have the names of DNS.
    const records = await api.call('get', `/v1/domains/${id}/records?type=A`);
    expect((records.body as { records: Shown[] }).records.map(({ name }) => name)).toEqual([
      canonical,
      `www.${canonical}`,
    ]);
  });

  it('outlives deletion, history and transfer to another project', async () => {
    const { written } = newName();
    const { id } = await createV1(written);
    await api.call('delete', `/v1/domains/${id}`);
    const deleted = await api.call('get', '/v1/domains?deleted=true');
    expect((deleted.body as { domains: Shown[] }).domains).toContainEqual(
      expect.objectContaining({ id, name: written }),
    );
    expect((await api.call('post', `/v1/domains/${id}/undelete`)).body).toMatchObject({
      name: written,
    });
    const changes = await api.call('get', `/v1/domains/${id}/changes`);
    expect(changes.body).toMatchObject({
      changes: [{ after: { name: written } }, { before: { name: written } }, {}],
    });
    const request = await api.call('post', `/v2/zones/${id}/tasks/transfer_requests`, {});
    expect(request.body).toMatchObject({ zone_name: written });
    const { id: zone_transfer_request_id, key } = request.body as { id: string; key: string };
    const body = { zone_transfer_request_id, key };
    await api.callAs('token-b', 'post', '/v2/zones/tasks/transfer_accepts', body);
    const moved = await api.callAs('token-b', 'get', `/v2/zones/${id}`);
    expect(moved.body).toMatchObject({ id, name: written });
  });

  it('of a new zone with an old name is that of its own creation', async () => {
    const { written, canonical } = newName();
    await api.call('delete', `/v1/domains/${(await createV1(written)).id}`);
    expect((await createV1(canonical)).name).toBe(canonical);
  });

  it('with letters outside ASCII is shown as DNS has it', async () => {
    count += 1;
    expect((await createV1(`Bücher${count}.Example.`)).name).toBe(`xn--bcher${count}-3ya.example.`);
  });
});
