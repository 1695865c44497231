import { beforeAll, describe, expect, it } from '@jest/globals';
import { assignRole, insertRole } from '@zonewright/testkit';
import { hostname } from 'node:os';
import request from 'supertest';
import { addServers } from '../support/nameserver-reports.js';
import { usePlatform } from '../support/use-platform.js';

/** Nothing listens on the signer's port. */
const platform = usePlatform({
  env: () => ({ SIGNER_URL: 'http://127.0.0.1:9', SIGNER_SECRET: 's'.repeat(40) }),
});
let token = '';

beforeAll(async () => {
  const { db, world } = platform;
  const roleId = await insertRole(db, { name: 'dns-operator' });
  await assignRole(db, { userId: world.user.id, roleId, tenantId: world.tenant.id });
  token = await platform.login(world.user, world.tenant.id);
  await addServers(db);
});

interface Status {
  readonly id: string;
  readonly service_name: string;
  readonly hostname: string;
  readonly status: string;
}

async function list(query = ''): Promise<readonly Status[]> {
  const response = await request(platform.dnsUrl)
    .get(`/v2/service_statuses${query}`)
    .set('X-Auth-Token', token)
    .expect(200);
  return (response.body as { service_statuses: Status[] }).service_statuses;
}

describe('Service statuses (v2)', () => {
  it('list each process: this one, those that it calls, and the nameservers', async () => {
    const statuses = await list();
    const stateOf = (name: string) => statuses.find((each) => each.service_name === name);
    expect(stateOf('dns-api')).toMatchObject({ hostname: hostname(), status: 'UP' });
    expect(stateOf('identity-service')).toMatchObject({
      hostname: new URL(platform.identityUrl).host,
      status: 'UP',
    });
    expect(stateOf('signer')).toMatchObject({ hostname: '127.0.0.1:9', status: 'DOWN' });
    expect(stateOf('nameserver')).toMatchObject({ status: 'DOWN' });
    const hosts = statuses.map((each) => each.hostname);
    expect(hosts).toEqual(hosts.toSorted());
  });

  it('are filtered, paged and shown by id, which stays the same', async () => {
    const [signer] = await list('?service_name=signer');
    expect(signer).toMatchObject({ service_name: 'signer' });
    const [first, second] = await list();
    expect(await list(`?limit=1&marker=${first?.id ?? ''}`)).toMatchObject([{ id: second?.id }]);
    const shown = await request(platform.dnsUrl)
      .get(`/v2/service_statuses/${signer?.id ?? ''}`)
      .set('X-Auth-Token', token)
      .expect(200);
    expect(shown.body).toMatchObject({ id: signer?.id, status: 'DOWN' });
  });
});
