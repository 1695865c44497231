import { describe, expect, it } from '@jest/globals';
import { generateKeyringText } from '@zonewright/database';
import { createDomain, createRecord, freshName } from '../support/fixtures.js';
import { readJournal } from '../support/journal.js';
import { useApi } from '../support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '40', DNS_API_MAX_DOMAIN_RECORDS: '5' } });
const keeping = useApi({ env: { TRANSFER_ENCRYPTION_KEYS: generateKeyringText('t1') } });

interface TransferBody {
  readonly id: string;
  readonly key: string | null;
  readonly zone_id: string;
  readonly status: string;
}

const REQUESTS = '/v2/zones/tasks/transfer_requests';
const ACCEPTS = '/v2/zones/tasks/transfer_accepts';

async function offer(zoneId: string, body: object = {}): Promise<TransferBody> {
  const path = `/v2/zones/${zoneId}/tasks/transfer_requests`;
  const response = await api.call('post', path, body).expect(201);
  return response.body as TransferBody;
}

const accept = ({ id, key }: Pick<TransferBody, 'id' | 'key'>, token = 'token-b') =>
  api.callAs(token, 'post', ACCEPTS, { zone_transfer_request_id: id, key });

async function ownerOf(zoneId: string): Promise<string | undefined> {
  const { rows } = await api.db.raw<{ rows: { tenant_id: string }[] }>(
    'select tenant_id from dns.domains where id = ? and deleted_at is null',
    [zoneId],
  );
  return rows[0]?.tenant_id;
}

describe('Zone transfer requests (v2)', () => {
  it('show their key once without TRANSFER_ENCRYPTION_KEYS; the database contains only its digest', async () => {
    const zone = await createDomain(api);
    const made = await offer(zone.id, { description: 'moving house' });
    expect(made).toMatchObject({
      zone_id: zone.id,
      zone_name: zone.name,
      status: 'ACTIVE',
      description: 'moving house',
      project_id: 'tenant-a',
      target_project_id: null,
      key: expect.stringMatching(/^[A-Z2-7]{24}$/),
      links: { self: `${api.url}${REQUESTS}/${made.id}` },
    });
    const shown = await api.call('get', `${REQUESTS}/${made.id}`).expect(200);
    expect(shown.body).toEqual({ ...made, key: null });
    const { rows } = await api.db.raw<{ rows: unknown[] }>(
      'select t::text as row from dns.zone_transfers as t',
    );
    expect(JSON.stringify(rows)).not.toContain(made.key);
  });

  it('show their key to the project that created them while they are pending; the database contains it sealed', async () => {
    const zone = await createDomain(keeping);
    const path = `/v2/zones/${zone.id}/tasks/transfer_requests`;
    const target = { target_project_id: 'tenant-b' };
    const made = (await keeping.call('post', path, target).expect(201)).body as TransferBody;
    const one = `${REQUESTS}/${made.id}`;
    expect((await keeping.call('get', one).expect(200)).body).toEqual(made);
    const seen = (await keeping.callAs('token-b', 'get', one).expect(200)).body as TransferBody;
    expect(seen.key).toBeNull();
    const { rows } = await keeping.db.raw<{ rows: unknown[] }>(
      `select t::text as row, encode(t.secret_sealed, 'escape') as sealed from dns.zone_transfers as t`,
    );
    expect(JSON.stringify(rows)).not.toContain(made.key);
    const body = { zone_transfer_request_id: made.id, key: made.key };
    await keeping.callAs('token-b', 'post', ACCEPTS, body).expect(201);
    expect((await keeping.call('get', one).expect(200)).body).toMatchObject({ key: null });
    const left = await keeping.db.raw<{ rows: unknown[] }>(
      'select t.id from dns.zone_transfers as t where t.secret_sealed is not null',
    );
    expect(left.rows).toEqual([]);
  });

  it('are changed, listed and withdrawn by the project that created them; a zone can be offered once', async () => {
    const zone = await createDomain(api);
    const { id } = await offer(zone.id);
    const again = `/v2/zones/${zone.id}/tasks/transfer_requests`;
    await api.call('post', again, {}).expect(409);
    const changed = await api
      .call('patch', `${REQUESTS}/${id}`, { description: 'x', target_project_id: 'tenant-b' })
      .expect(200);
    expect(changed.body).toMatchObject({ description: 'x', target_project_id: 'tenant-b' });
    for (const [token, seen] of [
      ['token-a', 'tenant-a'],
      ['token-b', null],
    ] as const) {
      const response = await api.callAs(token, 'get', `${REQUESTS}/${id}`).expect(200);
      expect(response.body).toMatchObject({ project_id: seen, key: null });
      const list = await api.callAs(token, 'get', `${REQUESTS}?status=ACTIVE`).expect(200);
      const { transfer_requests: all } = list.body as { transfer_requests: TransferBody[] };
      expect(all.map((each) => each.id)).toContain(id);
    }
    await api.callAs('token-b', 'patch', `${REQUESTS}/${id}`, {}).expect(404);
    await api.callAs('token-b', 'delete', `${REQUESTS}/${id}`).expect(404);
    await api.call('delete', `${REQUESTS}/${id}`).expect(204);
    await api.call('get', `${REQUESTS}/${id}`).expect(404);
  });

  it.each([
    [{ target_project_id: 'a b' }, 'target_project_id'],
    [{ target_project_id: 5 }, 'target_project_id'],
    [{ description: 'x'.repeat(161) }, 'description'],
    [{ key: 'MYOWN' }, 'key'],
  ])('refuse %j', async (body, path) => {
    const zone = await createDomain(api);
    const target = `/v2/zones/${zone.id}/tasks/transfer_requests`;
    const response = await api.call('post', target, body).expect(400);
    expect(response.body).toMatchObject({ errors: [{ path }] });
  });

  it('store no key for an Idempotency-Key: they refuse the header', async () => {
    const zone = await createDomain(api);
    const path = `/v2/zones/${zone.id}/tasks/transfer_requests`;
    const refused = await api.call('post', path, {}).set('Idempotency-Key', 'k1');
    expect(refused.status).toBe(400);
    await api.call('post', path, {}).expect(201);
  });

  it('for a zone below another zone of the project are refused: it moves with that zone', async () => {
    const parent = await createDomain(api);
    const child = await createDomain(api, { name: `child.${parent.name}` });
    const path = `/v2/zones/${child.id}/tasks/transfer_requests`;
    const response = await api.call('post', path, {}).expect(400);
    expect((response.body as { message: string }).message).toContain(parent.name);
  });

  it('end when the zone is deleted, even if it is restored', async () => {
    const zone = await createDomain(api);
    const made = await offer(zone.id);
    await api.call('delete', `/v1/domains/${zone.id}`).expect(200);
    await accept(made).expect(404);
    await api.call('post', `/v1/domains/${zone.id}/undelete`).expect(200);
    await accept(made).expect(404);
    expect(await ownerOf(zone.id)).toBe('tenant-a');
  });
});

describe('Zone transfer accepts (v2)', () => {
  it('move the zone and the zones below it, with their records and history, in one step each', async () => {
    const zone = await createDomain(api);
    const child = await createDomain(api, { name: `child.${zone.name}` });
    const other = await createDomain(api);
    await createRecord(api, zone.id, { name: `www.${zone.name}`, type: 'A', data: '192.0.2.1' });
    const made = await offer(zone.id);
    const response = await accept(made).expect(201);
    const { id } = response.body as { id: string };
    expect(response.body).toMatchObject({
      zone_id: zone.id,
      zone_transfer_request_id: made.id,
      project_id: 'tenant-b',
      status: 'COMPLETE',
      key: made.key,
      links: { self: `${api.url}${ACCEPTS}/${id}`, zone: `${api.url}/v2/zones/${zone.id}` },
    });
    expect(await Promise.all([zone, child, other].map((each) => ownerOf(each.id)))).toEqual([
      'tenant-b',
      'tenant-b',
      'tenant-a',
    ]);
    await api.call('get', `/v1/domains/${zone.id}`).expect(404);
    const moved = await api.callAs('token-b', 'get', `/v1/domains/${zone.id}`).expect(200);
    expect((moved.body as { serial: number }).serial).toBeGreaterThan(zone.serial);
    const records = await api.callAs('token-b', 'get', `/v1/domains/${zone.id}/records`);
    expect((records.body as { records: unknown[] }).records).toHaveLength(1);
    for (const each of [zone, child]) {
      expect((await readJournal(api.db, each.id)).at(-1)).toMatchObject({
        action: 'domain-update',
        before: { tenant_id: 'tenant-a' },
        after: { tenant_id: 'tenant-b' },
      });
    }
    const list = await api.callAs('token-b', 'get', ACCEPTS).expect(200);
    const shown = { ...(response.body as object), key: null };
    expect((list.body as { transfer_accepts: unknown[] }).transfer_accepts).toContainEqual(shown);
    const one = await api.callAs('token-b', 'get', `${ACCEPTS}/${id}`).expect(200);
    expect(one.body).toEqual(shown);
    await api.call('get', `${ACCEPTS}/${id}`).expect(404);
    // The tenant that gave the zone away deletes its request, but the other tenant keeps its own.
    await api.call('delete', `${REQUESTS}/${made.id}`).expect(204);
    await api.call('get', `${REQUESTS}/${made.id}`).expect(404);
    await api.callAs('token-b', 'get', `${ACCEPTS}/${id}`).expect(200);
  });

  it('require the key and a pending request', async () => {
    const zone = await createDomain(api);
    const made = await offer(zone.id);
    const wrong = await accept({ ...made, key: 'A'.repeat(24) }).expect(403);
    expect(wrong.body).toMatchObject({ type: 'invalid_key' });
    await accept({ ...made, id: zone.id }).expect(404);
    await api.callAs('token-b', 'post', ACCEPTS, { key: 5 }).expect(400);
    expect(await ownerOf(zone.id)).toBe('tenant-a');
    await accept(made).expect(201);
    const used = await accept(made).expect(400);
    expect(used.body).toMatchObject({ type: 'invalid_zone_transfer_request' });
  });

  it('for the own request: 201, and no zone moves (D-V2-61)', async () => {
    const zone = await createDomain(api);
    await api
      .call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: 'tenant-c' })
      .expect(201);
    const made = await offer(zone.id);
    await accept({ ...made, key: 'A'.repeat(24) }, 'token-a').expect(403);
    const before = await readJournal(api.db, zone.id);
    const response = await accept(made, 'token-a').expect(201);
    expect(response.body).toMatchObject({ zone_id: zone.id, project_id: 'tenant-a' });
    expect(await ownerOf(zone.id)).toBe('tenant-a');
    expect(await readJournal(api.db, zone.id)).toEqual(before);
    const shares = await api.call('get', `/v2/zones/${zone.id}/shares`).expect(200);
    expect((shares.body as { shared_zones: unknown[] }).shared_zones).toHaveLength(1);
    const shown = await api.call('get', `${REQUESTS}/${made.id}`).expect(200);
    expect(shown.body).toMatchObject({ status: 'COMPLETE' });
    await accept(made, 'token-a').expect(400);
    await accept(made).expect(400);
  });

  it('are only for the project that a request names, even for its owner', async () => {
    const zone = await createDomain(api);
    const made = await offer(zone.id, { target_project_id: 'tenant-c' });
    await accept(made).expect(404);
    await accept(made, 'token-a').expect(404);
    await api.callAs('token-b', 'get', `${REQUESTS}/${made.id}`).expect(404);
    expect(await ownerOf(zone.id)).toBe('tenant-a');
  });

  it('count towards the quotas of the receiving project', async () => {
    const zone = await createDomain(api);
    for (const name of ['a', 'b']) {
      await createRecord(api, zone.id, {
        name: `${name}.${zone.name}`,
        type: 'A',
        data: '192.0.2.1',
      });
    }
    const made = await offer(zone.id);
    const set = async (domains: number | null, records: number | null) => {
      await api.db.raw(
        `insert into dns.quotas (tenant_id, max_domains, max_domain_records) values ('tenant-b', ?, ?)
         on conflict (tenant_id) do update set max_domains = excluded.max_domains, max_domain_records = excluded.max_domain_records`,
        [domains, records] as unknown as string[],
      );
    };
    await set(0, null);
    expect((await accept(made).expect(413)).body).toMatchObject({
      message: expect.stringMatching(/limit is 0/),
    });
    await set(null, 1);
    expect((await accept(made).expect(413)).body).toMatchObject({
      message: expect.stringMatching(/2 records/),
    });
    await set(null, null);
    await accept(made).expect(201);
  });

  it('end shares, and transfer requests of zones below', async () => {
    const zone = await createDomain(api);
    const made = await offer(zone.id);
    await api
      .call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: 'tenant-c' })
      .expect(201);
    await accept(made).expect(201);
    const shares = await api.callAs('token-b', 'get', `/v2/zones/${zone.id}/shares`).expect(200);
    expect(shares.body).toMatchObject({ shared_zones: [] });
  });

  it('two at once: only one receives the zone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const zone = await createDomain(api, { name: freshName() });
      const made = await offer(zone.id);
      const answers = await Promise.all([accept(made), accept(made, 'token-operator')]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
      const owner = answers[0].status === 201 ? 'tenant-b' : 'tenant-o';
      expect(await ownerOf(zone.id)).toBe(owner);
    }
  });

  it('during a deletion of the zone: it is either deleted or moved, never both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const zone = await createDomain(api);
      const made = await offer(zone.id);
      const [taken, deleted] = await Promise.all([
        accept(made),
        api.call('delete', `/v1/domains/${zone.id}`),
      ]);
      const outcome = [taken.status, deleted.status, await ownerOf(zone.id)];
      expect([
        [201, 404, 'tenant-b'],
        [404, 200, undefined],
        [400, 200, undefined],
      ]).toContainEqual(outcome);
    }
  });
});
