import { describe, expect, it } from '@jest/globals';
import { createDomain } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

describe('Get Domain (DNS API s4)', () => {
  it('DNS API s4: returns 200 with the domain as it was created', async () => {
    const domain = await createDomain(api, { description: 'the first' });
    const response = await api.call('get', `/v1/domains/${domain.id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(domain);
  });

  it('D-ZONE: has an ETag', async () => {
    const { id } = await createDomain(api);
    const response = await api.call('get', `/v1/domains/${id}`);
    expect(response.headers['etag']).toMatch(/^"\d+"$/);
  });

  it.each(['no-uuid', '%00', '00000000-0000-0000-0000-000000000000'])(
    'D-ZONE-12: the id %s is domain_not_found',
    async (id) => {
      const response = await api.call('get', `/v1/domains/${id}`);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 404, type: 'domain_not_found' });
    },
  );

  it('D-REQ-5: a body and a Content-Type on GET are ignored', async () => {
    const { id } = await createDomain(api);
    const response = await api
      .call('get', `/v1/domains/${id}`)
      .set('Content-Type', 'application/xml')
      .send('<xml/>');
    expect(response.status).toBe(200);
  });
});
