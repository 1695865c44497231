import { describe, expect, it } from '@jest/globals';
import { createDomain, createRecord } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

describe('Get Record (DNS API s4)', () => {
  it('DNS API s4: returns 200 with the record as it was created, and an ETag', async () => {
    const { id, name } = await createDomain(api);
    const record = await createRecord(api, id, { name, type: 'A', data: '192.0.2.1' });
    const response = await api.call('get', `/v1/domains/${id}/records/${record.id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(record);
    expect(response.headers['etag']).toBe('"1"');
  });

  it('D-ZONE-12: returns record_not_found in an existing domain, otherwise domain_not_found', async () => {
    const { id, name } = await createDomain(api);
    const other = await createDomain(api);
    const record = await createRecord(api, id, { name, type: 'A', data: '192.0.2.1' });
    const notFound = async (path: string, token = 'token-a') => {
      const response = await api.callAs(token, 'get', path).expect(404);
      return (response.body as { type: string }).type;
    };
    expect(await notFound(`/v1/domains/${other.id}/records/${record.id}`)).toBe('record_not_found');
    expect(await notFound(`/v1/domains/${id}/records/x`)).toBe('record_not_found');
    expect(await notFound(`/v1/domains/${id}/records/${record.id}`, 'token-b')).toBe(
      'domain_not_found',
    );
  });
});
