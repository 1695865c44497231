import { describe, expect, it } from '@jest/globals';
import { createDomain, createRecord, freshName } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_ZONE_TASKS: '3' } });

interface TaskBody {
  readonly id: string;
  readonly status: string;
  readonly message: string | null;
  readonly zone_id: string | null;
  readonly links: Readonly<Record<string, string>>;
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const fileOf = (name: string, records = 'www 300 IN A 192.0.2.1\n') =>
  `$ORIGIN ${name}\n@ 3600 IN SOA ns1.example.org. admin.example.com. 1 2 3 4 5\n${records}`;

const importFile = (text: string, token = 'token-a') =>
  api
    .callAs(token, 'post', '/v2/zones/tasks/imports')
    .set('Content-Type', 'text/dns')
    .send(text as unknown as object);

async function exportOf(zoneId: string): Promise<TaskBody> {
  const response = await api.call('post', `/v2/zones/${zoneId}/tasks/export`).expect(202);
  return response.body as TaskBody;
}

async function countZones(): Promise<unknown> {
  const { rows } = await api.db.raw<{ rows: unknown[] }>('select count(*) from dns.domains');
  return rows;
}

describe('Zone exports (v2)', () => {
  it('are created at once, and show the current zone when they are read; no file is stored', async () => {
    const zone = await createDomain(api);
    const made = await exportOf(zone.id);
    expect(made).toMatchObject({ status: 'PENDING', zone_id: zone.id, message: null });
    const one = `/v2/zones/tasks/exports/${made.id}`;
    const response = await api.call('get', one).expect(200);
    expect(response.body).toEqual({
      ...made,
      status: 'COMPLETE',
      project_id: 'tenant-a',
      version: 1,
      location: `designate:/${one}/export`,
      links: { self: `${api.url}${one}`, export: `${api.url}${one}/export` },
    });
    await createRecord(api, zone.id, { name: `later.${zone.name}`, type: 'A', data: '192.0.2.9' });
    const content = await api.call('get', `${one}/export`).set('Accept', 'text/dns').expect(200);
    expect(content.headers['content-type']).toMatch(/^text\/dns/);
    expect(content.text).toContain(`$ORIGIN ${zone.name}`);
    expect(content.text).toContain('later');
    await api.call('delete', one).expect(204);
    await api.call('get', one).expect(404);
    await api.call('delete', one).expect(404);
  });

  it('of a deleted zone cannot be read any longer', async () => {
    const zone = await createDomain(api);
    const { id } = await exportOf(zone.id);
    await api.call('delete', `/v1/domains/${zone.id}`).expect(200);
    const response = await api.call('get', `/v2/zones/tasks/exports/${id}/export`).expect(404);
    expect(response.body).toMatchObject({ type: 'zone_not_found' });
  });

  it('are limited: the oldest of a tenant are removed', async () => {
    const zone = await createDomain(api);
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) ids.push((await exportOf(zone.id)).id);
    const response = await api.call('get', '/v2/zones/tasks/exports').expect(200);
    const { exports, metadata } = response.body as {
      exports: TaskBody[];
      metadata: { total_count: number };
    };
    expect(exports.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(metadata).toEqual({ total_count: 3 });
  });

  it('are listed by zone and page by page', async () => {
    const zone = await createDomain(api);
    const ids = [(await exportOf(zone.id)).id, (await exportOf(zone.id)).id];
    const list = `/v2/zones/tasks/exports?zone_id=${zone.id}&sort_dir=desc&limit=1`;
    const first = await api.call('get', list).expect(200);
    const { exports, links } = first.body as { exports: TaskBody[]; links: { next: string } };
    const second = await api.call('get', links.next.slice(api.url.length)).expect(200);
    expect([exports[0]?.id, (second.body as { exports: TaskBody[] }).exports[0]?.id]).toEqual(
      ids.toReversed(),
    );
    const foreign = await api.call('get', `${list}&marker=${UNKNOWN}`).expect(400);
    expect(foreign.body).toMatchObject({ type: 'marker_not_found' });
    await api.call('get', '/v2/zones/tasks/exports?zone_id=x').expect(400);
  });

  it('of another tenant are not found', async () => {
    const { id } = await exportOf((await createDomain(api)).id);
    for (const [method, path] of [
      ['get', id],
      ['get', `${id}/export`],
      ['delete', id],
    ] as const) {
      await api.callAs('token-b', method, `/v2/zones/tasks/exports/${path}`).expect(404);
    }
    const zone = await createDomain(api);
    const other = await api.callAs('token-b', 'post', `/v2/zones/${zone.id}/tasks/export`);
    expect(other.status).toBe(404);
  });
});

describe('Zone imports (v2)', () => {
  it('create a zone from the file', async () => {
    const name = freshName();
    const response = await importFile(fileOf(name)).expect(202);
    const made = response.body as TaskBody;
    expect(made).toMatchObject({ status: 'PENDING', zone_id: null, message: null });
    const one = `/v2/zones/tasks/imports/${made.id}`;
    const body = (await api.call('get', one).expect(200)).body as TaskBody;
    const { zone_id: zoneId } = body;
    expect(body).toMatchObject({
      status: 'COMPLETE',
      message: `${name} imported`,
      links: { self: `${api.url}${one}`, zone: `${api.url}/v2/zones/${zoneId ?? ''}` },
    });
    const records = await api.call('get', `/v1/domains/${zoneId ?? ''}/records`).expect(200);
    expect(records.body).toMatchObject({ records: [{ name: `www.${name}`, data: '192.0.2.1' }] });
    await api.call('delete', one).expect(204);
    await api.call('get', one).expect(404);
    await api.call('get', `/v1/domains/${zoneId ?? ''}`).expect(200);
  });

  it.each([
    ['a line that is wrong', () => fileOf(freshName(), 'www IN A 192.0.2\n'), /line 3/],
    ['no SOA', () => 'www.example.com. 300 IN A 192.0.2.1\n', /name/],
    ['no record', () => fileOf(freshName(), ''), /no record/],
  ])('%s: the import reports the error, and nothing is created', async (_, text, message) => {
    const before = await countZones();
    const made = (await importFile(text()).expect(202)).body as TaskBody;
    const shown = await api.call('get', `/v2/zones/tasks/imports/${made.id}`).expect(200);
    const body = shown.body as TaskBody;
    expect(body).toMatchObject({ status: 'ERROR', zone_id: null });
    expect(body.message).toMatch(message);
    expect(await countZones()).toEqual(before);
  });

  it('an existing zone: the import reports it', async () => {
    const zone = await createDomain(api);
    const made = (await importFile(fileOf(zone.name), 'token-b').expect(202)).body as TaskBody;
    const one = `/v2/zones/tasks/imports/${made.id}`;
    const shown = await api.callAs('token-b', 'get', one).expect(200);
    expect(shown.body).toMatchObject({ status: 'ERROR', message: expect.stringMatching(/exists/) });
    await api.call('get', one).expect(404);
  });

  it('a dry run gets the result at once, and is not listed', async () => {
    const before = await api.call('get', '/v2/zones/tasks/imports');
    const tried = api
      .call('post', '/v2/zones/tasks/imports?dry_run=true')
      .set('Content-Type', 'text/dns');
    await tried.send('www.example.com. IN A\n' as unknown as object).expect(400);
    const after = await api.call('get', '/v2/zones/tasks/imports');
    expect(after.body).toEqual(before.body);
  });

  it('JSON is not a zone file', async () => {
    const response = await api.call('post', '/v2/zones/tasks/imports', {}).expect(400);
    expect(response.body).toMatchObject({ message: expect.stringMatching(/text\/dns/) });
  });
});

describe('Tasks that are not offered (v2)', () => {
  it.each(['abandon', 'pool_move', 'xfr'])('%s: returns 403 with the reason', async (task) => {
    const zone = await createDomain(api);
    const path = `/v2/zones/${zone.id}/tasks/${task}`;
    const response = await api.call('post', path).expect(403);
    expect((response.body as { message: string }).message).toMatch(/zone/i);
    await api.callAs('token-b', 'post', path).expect(404);
  });

  it('floating IPs: returns 404', async () => {
    const response = await api.call('get', '/v2/reverse/floatingips').expect(404);
    expect(response.body).toMatchObject({ code: 404, type: 'not_found' });
  });
});
