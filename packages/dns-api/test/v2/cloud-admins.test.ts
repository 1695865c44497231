import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../src/operations.js';
import { useApi } from '../support/use-api.js';

const api = useApi();
/** May see what concerns the whole service, and no more. */
const VIEWER = 'token-viewer';
const ID = 'a86dba58-0043-4cc6-a1bb-69d5e86f3ca3';

describe('Who may see the state of the service', () => {
  it('may not act for another project', async () => {
    for (const [header, value] of [
      ['X-Auth-Sudo-Project-ID', 'tenant-a'],
      ['X-Auth-All-Projects', 'true'],
      ['X-Designate-Edit-Managed-Records', 'true'],
    ] as const) {
      const isWrite = header.startsWith('X-Designate');
      const response = await api
        .callAs(VIEWER, isWrite ? 'put' : 'get', isWrite ? `/v2/quotas/tenant-a` : '/v2/zones')
        .set(header, value);
      expect([header, response.status]).toEqual([header, 403]);
    }
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
