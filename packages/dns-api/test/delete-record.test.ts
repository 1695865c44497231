import { describe, expect, it } from '@jest/globals';
import { createDomain, createRecord, readDomain } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

describe('Delete Record (DNS API s4)', () => {
  it('DNS API s4: returns 200 without a body, deletes the record and increases the serial', async () => {
    const zone = await createDomain(api);
    const { id } = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'A',
      data: '192.0.2.1',
    });
    const { serial } = await readDomain(api, zone.id);
    const path = `/v1/domains/${zone.id}/records/${id}`;
    const response = await api.call('delete', path);
    expect(response.status).toBe(200);
    expect(response.text).toBe('');
    await api.call('get', path).expect(404);
    expect((await readDomain(api, zone.id)).serial).toBeGreaterThan(serial);
    const again = await api.call('delete', path);
    expect(again.status).toBe(404);
    expect(again.body).toMatchObject({ type: 'record_not_found' });
  });

  it('D-ZONE-39: If-Match gives 412 if the record has changed in the meantime', async () => {
    const zone = await createDomain(api);
    const { id } = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'A',
      data: '192.0.2.1',
    });
    const path = `/v1/domains/${zone.id}/records/${id}`;
    await api.call('put', path, { ttl: 1 }).expect(200);
    const late = await api.call('delete', path).set('If-Match', '"1"');
    expect(late.status).toBe(412);
  });
});
