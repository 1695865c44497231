import { describe, expect, it } from '@jest/globals';
import { createDomain, type ErrorBody, freshName } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

const create = (key: string, body: object, token = 'token-a') =>
  api.callAs(token, 'post', '/v1/domains', body).set('Idempotency-Key', key);

const newDomain = () => ({ name: freshName(), email: 'a@example.com' });

describe('Idempotency-Key', () => {
  it('a repeated POST gets the first answer and makes nothing new', async () => {
    const body = newDomain();
    const first = await create('k1', body).expect(200);
    const second = await create('k1', body).expect(200);
    expect(second.body).toEqual(first.body);
    for (const header of ['location', 'etag', 'content-type']) {
      expect(second.headers[header]).toBe(first.headers[header]);
    }
  });

  it('so do repetitions at the same time', async () => {
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

  it('a key that was used for another request is refused', async () => {
    await create('k3', newDomain()).expect(200);
    const response = await create('k3', newDomain());
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([{ path: 'Idempotency-Key' }]);
  });

  it('keys of two tenants have nothing to do with each other', async () => {
    await create('k4', newDomain()).expect(200);
    const response = await create('k4', newDomain(), 'token-b');
    expect(response.status).toBe(200);
  });

  it('a request that failed is tried anew', async () => {
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
