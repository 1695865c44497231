import { describe, expect, it } from '@jest/globals';
import { createDomain, createRecord } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

describe('Delete Domain (DNS API s4)', () => {
  it('DNS API s4: returns 200 without a body, and deletes the domain with its records', async () => {
    const { id, name } = await createDomain(api);
    const record = await createRecord(api, id, { name, type: 'A', data: '192.0.2.1' });
    const response = await api.call('delete', `/v1/domains/${id}`);
    expect(response.status).toBe(200);
    expect(response.text).toBe('');
    for (const path of ['', '/servers', '/records', `/records/${record.id}`]) {
      await api.call('get', `/v1/domains/${id}${path}`).expect(404);
    }
    const list = await api.call('get', `/v1/domains?name=${name}`);
    expect(list.body).toEqual({ domains: [] });
  });

  it('D-ZONE: a domain with child domains cannot be deleted, 400', async () => {
    const { id, name } = await createDomain(api);
    const child = await createDomain(api, { name: `child.${name}` });
    const refused = await api.call('delete', `/v1/domains/${id}`);
    expect(refused.status).toBe(400);
    expect((refused.body as { message: string }).message).toContain(child.name);
    await api.call('delete', `/v1/domains/${child.id}`).expect(200);
    await api.call('delete', `/v1/domains/${id}`).expect(200);
  });

  it('D-ZONE-39: If-Match gives 412 if the domain has changed in the meantime', async () => {
    const { id } = await createDomain(api);
    const response = await api.call('delete', `/v1/domains/${id}`).set('If-Match', '"1"');
    expect(response.status).toBe(412);
  });

  it('D-ZONE-12: a second deletion gets 404 with a body, as every error has', async () => {
    const { id } = await createDomain(api);
    await api.call('delete', `/v1/domains/${id}`).expect(200);
    for (const path of [id, `${id}/records/${id}`]) {
      const response = await api.call('delete', `/v1/domains/${path}`);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({
        code: 404,
        type: expect.stringMatching(/_not_found$/),
      });
    }
  });
});
