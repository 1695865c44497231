import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyringText } from '@zonewright/database';
import { OPERATIONS } from '../../src/operations.js';
import { OWNED_PARAMETERS } from '../../src/v2/http/request.js';
import { createDomain } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi({ env: { TRANSFER_ENCRYPTION_KEYS: generateKeyringText('t1') } });
const TASKS = '/v2/zones/tasks';
type Method = Parameters<typeof api.callAs>[1];

/** Sends an operator's request for all projects. */
const forAll = (method: Method, path: string, body?: object) =>
  api.callAs('token-operator', method, path, body).set('X-Auth-All-Projects', 'true');

/** An object of tenant A or B, with its path, the path of its list, and the member that contains the list. */
interface Owned {
  readonly one: string;
  readonly all: string;
  readonly member: string;
  readonly id: string;
  readonly projectId: string;
}

const owned = new Map<string, Owned>();
const get = (kind: string) => owned.get(kind) as Owned;
let transferKey = '';

async function make(path: string, body: object | undefined, token = 'token-a') {
  const response = await api.callAs(token, 'post', path, body);
  expect(response.status).toBeLessThan(300);
  return response.body as { readonly id: string; readonly key: string };
}

function note(kind: string, all: string, member: string, id: string, projectId = 'tenant-a') {
  owned.set(kind, { one: `${all}/${id}`, all, member, id, projectId });
}

beforeAll(async () => {
  const zone = await createDomain(api);
  note('zone', '/v2/zones', 'zones', zone.id);
  const exported = await make(`/v2/zones/${zone.id}/tasks/export`, undefined);
  note('export', `${TASKS}/exports`, 'exports', exported.id);
  const file = await api
    .call('post', `${TASKS}/imports`)
    .set('Content-Type', 'text/dns')
    .send('not a zone file' as unknown as object);
  note('import', `${TASKS}/imports`, 'imports', (file.body as { id: string }).id);
  const share = await make(`/v2/zones/${zone.id}/shares`, { target_project_id: 'tenant-b' });
  note('share', `/v2/zones/${zone.id}/shares`, 'shared_zones', share.id);
  const request = await make(`/v2/zones/${zone.id}/tasks/transfer_requests`, {});
  transferKey = request.key;
  note('transfer request', `${TASKS}/transfer_requests`, 'transfer_requests', request.id);
  const other = await createDomain(api);
  const given = await make(`/v2/zones/${other.id}/tasks/transfer_requests`, {});
  const brought = { zone_transfer_request_id: given.id, key: given.key };
  const accept = await make(`${TASKS}/transfer_accepts`, brought, 'token-b');
  note('transfer accept', `${TASKS}/transfer_accepts`, 'transfer_accepts', accept.id, 'tenant-b');
});

const KINDS = ['zone', 'export', 'import', 'share', 'transfer request', 'transfer accept'];

describe('X-Auth-All-Projects (v2)', () => {
  it.each(KINDS)('shows a %s by its id and in its list, with its project', async (kind) => {
    const { one, all, member, id, projectId } = get(kind);
    const shown = await forAll('get', one).expect(200);
    expect(shown.body).toMatchObject({ id, project_id: projectId });
    const listed = await forAll('get', all).expect(200);
    const items = (listed.body as Record<string, { id: string }[]>)[member];
    expect(items).toContainEqual(expect.objectContaining({ id, project_id: projectId }));
  });

  it.each(KINDS)('is needed for a %s of another project', async (kind) => {
    const { one, all, member, id } = get(kind);
    await api.callAs('token-operator', 'get', one).expect(404);
    const listed = await api.callAs('token-operator', 'get', all);
    expect(JSON.stringify((listed.body as Record<string, unknown>)[member] ?? [])).not.toContain(
      id,
    );
  });

  it.each(KINDS)('%s: an id that is unknown is 404, and a marker 400', async (kind) => {
    const { one, all, id } = get(kind);
    const unknown = '00000000-0000-4000-8000-000000000000';
    const shown = await forAll('get', one.replace(id, unknown));
    const listed = await forAll('get', `${all}?marker=${unknown}`);
    expect([shown.status, listed.status]).toEqual([404, 400]);
  });

  it('pages through the tasks of all projects', async () => {
    const { all, id } = get('export');
    const zone = await createDomain(api);
    const second = await make(`/v2/zones/${zone.id}/tasks/export`, undefined);
    const listed = await forAll('get', `${all}?limit=1&marker=${id}`).expect(200);
    const page = { exports: [{ id: second.id }], metadata: { total_count: 2 } };
    expect(listed.body).toMatchObject(page);
  });

  it('does not show the key of a transfer request, which only its requester sees', async () => {
    const { one } = get('transfer request');
    expect((await api.call('get', one).expect(200)).body).toMatchObject({ key: transferKey });
    expect((await forAll('get', one).expect(200)).body).toMatchObject({ key: null });
  });

  it('has priority over X-Auth-Sudo-Project-ID for an object that the path names', async () => {
    const { one, id } = get('export');
    const response = await forAll('get', one).set('X-Auth-Sudo-Project-ID', 'tenant-b');
    expect(response.body).toMatchObject({ id });
  });

  it('reads the content of an export, changes and deletes', async () => {
    const content = await forAll('get', `${get('export').one}/export`).expect(200);
    expect(content.text).toContain('SOA');
    const request = get('transfer request').one;
    const changed = await forAll('patch', request, { description: 'by the operator' }).expect(200);
    expect(changed.body).toMatchObject({ description: 'by the operator', key: null });
    for (const kind of ['transfer request', 'share', 'export', 'import']) {
      await forAll('delete', get(kind).one).expect(204);
      await api.call('get', get(kind).one).expect(404);
    }
  });

  it('shows an accepted request that its requester deleted to the named project only', async () => {
    const zone = await createDomain(api);
    const target = { target_project_id: 'tenant-b' };
    const { id, key } = await make(`/v2/zones/${zone.id}/tasks/transfer_requests`, target);
    const brought = { zone_transfer_request_id: id, key };
    await api.callAs('token-b', 'post', `${TASKS}/transfer_accepts`, brought).expect(201);
    const one = `${TASKS}/transfer_requests/${id}`;
    await api.call('delete', one).expect(204);
    const answers = [api.call('get', one), api.callAs('token-b', 'get', one), forAll('get', one)];
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([404, 200, 200]);
  });

  it('knows the owner of each object that a path of a project can name', () => {
    const paths = OPERATIONS.filter(
      ({ path, access }) => path.startsWith('/v2/') && access === 'tenant',
    ).map(({ path }) => path);
    const firsts = new Set(paths.flatMap((path) => /\{(\w+)\}/.exec(path)?.[1] ?? []));
    // A search of all zones finds recordsets. Quotas are those of the named project.
    const others = ['recordset_id', 'project_id'];
    expect([...firsts].toSorted()).toEqual(
      [...Object.keys(OWNED_PARAMETERS), ...others].toSorted(),
    );
  });
});
