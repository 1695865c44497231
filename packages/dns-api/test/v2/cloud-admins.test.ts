import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../src/operations.js';
import { freshName } from '../support/fixtures.js';
import { addServers } from '../support/nameserver-reports.js';
import { useApi } from '../support/use-api.js';

const api = useApi();
/** A token that may read data of the whole service, and nothing else. */
const VIEWER = 'token-viewer';
const ID = 'a86dba58-0043-4cc6-a1bb-69d5e86f3ca3';

describe('Who may see the state of the service', () => {
  it.each([
    ['X-Auth-Sudo-Project-ID', 'tenant-a'],
    ['X-Auth-All-Projects', 'true'],
  ])('may not act for another project (%s)', async (header, value) => {
    const response = await api.callAs(VIEWER, 'get', '/v2/zones').set(header, value);
    expect(response.status).toBe(403);
  });

  it('may not change what the service manages', async () => {
    await addServers(api.db);
    const made = await api.callAs(VIEWER, 'post', '/v2/zones', {
      name: freshName(),
      email: 'a@example.com',
    });
    const path = `/v2/zones/${(made.body as { id: string }).id}/recordsets`;
    const listed = await api.callAs(VIEWER, 'get', `${path}?type=NS`);
    const { recordsets } = listed.body as { recordsets: { id: string }[] };
    const response = await api
      .callAs(VIEWER, 'put', `${path}/${recordsets[0]?.id ?? ''}`, { records: ['a.test.'] })
      .set('X-Designate-Edit-Managed-Records', 'true');
    expect(response.status).toBe(403);
  });

  it.each(
    OPERATIONS.filter(({ access }) => access === 'cloud-admin').map(({ method, path }) => [
      method,
      path,
    ]),
  )('%s %s is for cloud administrators', async (method, path) => {
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    const response = await api.callAs(VIEWER, verb, path.replaceAll(/\{\w+\}/g, ID));
    expect(response.status).toBe(403);
  });

  it('sees pools and nameservers', async () => {
    for (const path of ['/v2/pools', '/v1/nameservers']) {
      expect((await api.callAs(VIEWER, 'get', path)).status).toBe(200);
    }
  });
});
