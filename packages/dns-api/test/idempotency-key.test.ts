import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { createDomain, type DomainBody, type ErrorBody, freshName } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

const create = (key: string, body: object, token = 'token-a') =>
  api.callAs(token, 'post', '/v1/domains', body).set('Idempotency-Key', key);

const newDomain = () => ({ name: freshName(), email: 'a@example.com' });

/**
 * Creates a record in a transaction that searches for its key and then waits for another one, which uses the same key.
 */
async function createBesideAnother({ id, name }: DomainBody) {
  const key = `beside-${id}`;
  const other = await api.db.transaction();
  await other.raw('select d.id from dns.domains as d where d.id = ? for update', [id]);
  // If a mail server is in no zone of the service, a transaction checks the target.
  const body = { name, type: 'MX', priority: 10, data: 'mail.example.net.' };
  const answer = api
    .call('post', `/v1/domains/${id}/records`, body)
    .set('Idempotency-Key', key)
    .then((response) => ({ status: response.status, body: response.body as ErrorBody }));
  await waitFor(async () => {
    const { rows } = await api.db.raw<{ rows: unknown[] }>(
      `select 1 from pg_stat_activity as a
        where a.datname = current_database() and a.wait_event_type = 'Lock' and a.query like '%for no key update%'`,
    );
    return rows.length > 0;
  });
  await other.raw(
    `insert into dns.idempotency_keys (tenant_id, idempotency_key, request_digest, status, headers, body)
     values ('tenant-a', ?, ?, 200, '{}', '{}')`,
    [key, Buffer.alloc(32)],
  );
  await other.commit();
  return await answer;
}

describe('Idempotency-Key', () => {
  it('a repeated POST gets the first response and creates nothing new', async () => {
    const body = newDomain();
    const first = await create('k1', body).expect(200);
    const second = await create('k1', body).expect(200);
    expect(second.body).toEqual(first.body);
    for (const header of ['location', 'etag', 'content-type']) {
      expect(second.headers[header]).toBe(first.headers[header]);
    }
  });

  it('so do concurrent repetitions', async () => {
    const { id, name } = await createDomain(api);
    const body = { name, type: 'A', data: '192.0.2.1' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        api.call('post', `/v1/domains/${id}/records`, body).set('Idempotency-Key', 'k2'),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('a key that a request at another process is using is refused, and nothing is done', async () => {
    // On a busy machine the request may be late.
    const [{ id }, answer] = await waitFor(async () => {
      const domain = await createDomain(api);
      const given = await createBesideAnother(domain);
      return given.status === 503 ? undefined : ([domain, given] as const);
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'Idempotency-Key' }] },
    });
    const listed = await api.call('get', `/v1/domains/${id}/records`).expect(200);
    expect(listed.body).toMatchObject({ records: [] });
  });

  it('a key that was used for another request is refused', async () => {
    await create('k3', newDomain()).expect(200);
    const response = await create('k3', newDomain());
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([{ path: 'Idempotency-Key' }]);
  });

  it('keys of two tenants are independent', async () => {
    await create('k4', newDomain()).expect(200);
    const response = await create('k4', newDomain(), 'token-b');
    expect(response.status).toBe(200);
  });

  it('a failed request is tried again', async () => {
    const parent = await createDomain(api, {}, 'token-b');
    const body = { name: `x.${parent.name}`, email: 'a@example.com' };
    await create('k5', body).expect(403);
    await api.callAs('token-b', 'delete', `/v1/domains/${parent.id}`).expect(200);
    const response = await create('k5', body);
    expect(response.status).toBe(200);
  });

  it.each(['', 'two words', 'x'.repeat(256)])('the key %j is refused', async (key) => {
    const response = await create(key, newDomain());
    expect(response.status).toBe(400);
  });
});
