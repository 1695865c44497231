import { describe, expect, it } from '@jest/globals';
import { createDomain, type DomainBody, type ErrorBody, readDomain } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

async function update(id: string, body: object): Promise<DomainBody> {
  const response = await api.call('put', `/v1/domains/${id}`, body).expect(200);
  return response.body as DomainBody;
}

describe('Update Domain (DNS API s4)', () => {
  it('DNS API s4: returns 200 with the updated domain including description', async () => {
    const domain = await createDomain(api);
    const content = { ttl: 60, email: 'other@example.com', description: 'changed' };
    const updated = await update(domain.id, content);
    expect(updated).toMatchObject({ id: domain.id, name: domain.name, ...content });
    expect(updated.serial).toBeGreaterThan(domain.serial);
    expect(updated.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    expect(await readDomain(api, domain.id)).toEqual(updated);
  });

  it('D-ZONE-3: merges the given members, and null clears the description', async () => {
    const domain = await createDomain(api, { ttl: 77, description: 'text' });
    expect(await update(domain.id, { email: 'other@example.com' })).toMatchObject({
      ttl: 77,
      description: 'text',
    });
    expect(await update(domain.id, { description: null })).toMatchObject({ description: null });
  });

  it('D-ZONE-3: a full object as it was read is accepted, its read-only members ignored', async () => {
    const domain = await createDomain(api);
    const updated = await update(domain.id, { ...domain, id: 'x', serial: 1, ttl: 5 });
    expect(updated).toMatchObject({ id: domain.id, ttl: 5 });
    expect(updated.serial).toBeGreaterThan(domain.serial);
  });

  it('D-ZONE-33: an update without effect leaves the domain unchanged', async () => {
    const domain = await createDomain(api);
    expect(await update(domain.id, { ...domain })).toEqual(domain);
  });

  it('D-ZONE-3: renaming is refused, the same name in other letters is not', async () => {
    const domain = await createDomain(api);
    const response = await api.call('put', `/v1/domains/${domain.id}`, { name: 'other.example.' });
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([
      { path: 'name', validator: 'readOnly' },
    ]);
    await update(domain.id, { name: domain.name.toUpperCase(), ttl: 9 });
  });

  it('D-ZONE-7: reports all problems of a request at once', async () => {
    const { id } = await createDomain(api);
    const response = await api.call('put', `/v1/domains/${id}`, {
      ttl: null,
      email: 'x',
      description: 'd'.repeat(161),
      extra: true,
    });
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors.map(({ path }) => path).sort()).toEqual([
      'description',
      'email',
      'extra',
      'ttl',
    ]);
  });

  it('D-ZONE-39: If-Match gives 412 if the domain has changed in the meantime', async () => {
    const { id } = await createDomain(api);
    const { headers } = await api.call('get', `/v1/domains/${id}`);
    const etag = headers['etag'] ?? '';
    const put = (ttl: number) =>
      api.call('put', `/v1/domains/${id}`, { ttl }).set('If-Match', etag);
    await put(1).expect(200);
    const late = await put(2);
    expect(late.status).toBe(412);
    expect(late.body).toMatchObject({ code: 412, type: 'precondition_failed' });
    expect((await readDomain(api, id)).ttl).toBe(1);
  });
});
