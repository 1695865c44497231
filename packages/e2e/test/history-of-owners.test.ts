import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTestEnvironment } from '@zonewright/testkit';
import { call, insist } from './support/clients.js';
import { Installation, PASSWORD } from './support/installation.js';
import { runAdmin } from './support/programs.js';

const TIMEOUT_MS = 180_000;
const TENANTS = { giver: 'giver', receiver: 'receiver' } as const;
type Tenant = keyof typeof TENANTS;
const SECRET = 'secret of the giver';

interface Login {
  readonly token: string;
  readonly tenantId: string;
}

interface Changes {
  readonly changes: readonly { readonly action: string; readonly serial_after: number }[];
}

describe('the history of a domain that went to the project of another account', () => {
  const installation = new Installation(readTestEnvironment().postgresUrl);
  const logins = {} as Record<Tenant, Login>;
  let tokens = '';
  let dnsUrl = '';

  async function logIn(username: string, password: string, tenantName?: string): Promise<Login> {
    const auth = { passwordCredentials: { username, password }, tenantName };
    const { body } = await insist(tokens, { method: 'POST', body: { auth } });
    const { access } = body as { access: { token: { id: string; tenant?: { id: string } } } };
    return { token: access.token.id, tenantId: access.token.tenant?.id ?? '' };
  }

  async function api<T>(
    tenant: Tenant,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ) {
    const { token } = logins[tenant];
    const headers = { 'x-zonewright-note': tenant === 'giver' ? SECRET : 'of the receiver' };
    const answer = await insist(`${dnsUrl}${path}`, { method, token, body, headers });
    expect({ path, answer, isDone: answer.status < 300 }).toMatchObject({ isDone: true });
    return answer.body as T;
  }

  const history = async (tenant: Tenant, id: string) =>
    (await api<Changes>(tenant, 'GET', `/v1/domains/${id}/changes?extended=true`)).changes;
  const statusFor = async (tenant: Tenant, method: 'GET' | 'POST', path: string) =>
    (await call(`${dnsUrl}${path}`, { method, token: logins[tenant].token })).status;

  async function add(tenant: Tenant, zone: { id: string; name: string }, name: string) {
    const record = { name: `${name}.${zone.name}`, type: 'A', data: '192.0.2.1' };
    return await api<{ id: string }>(tenant, 'POST', `/v1/domains/${zone.id}/records`, record);
  }

  /** Transfers a domain with a record of the previous owner, a deleted one, and one of the new owner. */
  async function handOver(name: string) {
    const domain = { name, email: 'a@example.com' };
    const zone = await api<{ id: string; name: string }>('giver', 'POST', '/v1/domains', domain);
    await add('giver', zone, 'stays');
    const { id: gone } = await add('giver', zone, 'gone');
    await api('giver', 'DELETE', `/v1/domains/${zone.id}/records/${gone}`);
    const before = await history('giver', zone.id);
    const requests = `/v2/zones/${zone.id}/tasks/transfer_requests`;
    const { id, key } = await api<{ id: string; key: string }>('giver', 'POST', requests, {});
    const accepted = { zone_transfer_request_id: id, key };
    await api('receiver', 'POST', '/v2/zones/tasks/transfer_accepts', accepted);
    await add('receiver', zone, 'later');
    return { zone, before };
  }

  async function exportOf(tenant: Tenant): Promise<string> {
    const env = { DATABASE_URL: installation.loginUrl('operator') };
    const { exitCode, stdout, stderr } = await runAdmin(
      ['export', `${tenant} Ltd`, '--output', '-'],
      env,
    );
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout;
  }

  async function deleteTenant(tenant: Tenant): Promise<number> {
    const { token } = await logIn('admin', PASSWORD);
    const url = tokens.replace('/v2.0/tokens', `/v3/projects/${logins[tenant].tenantId}`);
    return (await insist(url, { method: 'DELETE', token })).status;
  }

  beforeAll(async () => {
    await installation.prepare();
    installation.operate('role', 'grant', 'identity-operator', 'admin');
    for (const name of Object.values(TENANTS)) {
      installation.operate('account-domain', 'create', `${name} Ltd`);
      installation.addTenant(name, ['--account-domain', `${name} Ltd`]);
    }
    const identity = (await installation.startIdentity({})).addresses['http'] ?? '';
    tokens = `${identity}/v2.0/tokens`;
    const dnsApi = await installation.startDnsApi({ IDENTITY_URL: identity });
    dnsUrl = dnsApi.addresses['http'] ?? '';
    for (const tenant of Object.values(TENANTS)) {
      logins[tenant] = await logIn(tenant, tenant, tenant);
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    await installation.stop();
  }, TIMEOUT_MS);

  it(
    'D-ZONE-115: an export contains the domain for its current account, and no history of either',
    async () => {
      const { zone } = await handOver('exported.example.');
      expect(await exportOf('giver')).not.toContain('exported.example.');
      const text = await exportOf('receiver');
      const { domains } = JSON.parse(text) as {
        domains: { name: string; records: { name: string }[] }[];
      };
      expect(domains.map(({ name }) => name)).toEqual([zone.name]);
      const names = domains[0]?.records.map(({ name }) => name).toSorted();
      expect(names).toEqual([`later.${zone.name}`, `stays.${zone.name}`]);
      for (const hidden of [SECRET, 'gone.', '"giver"', logins.giver.tenantId]) {
        expect(text).not.toContain(hidden);
      }
      await api('receiver', 'DELETE', `/v1/domains/${zone.id}`);
    },
    TIMEOUT_MS,
  );

  it(
    "D-ZONE-115: the giver keeps its part if the receiver's project is deleted, and cannot restore the domain",
    async () => {
      const { zone, before } = await handOver('orphan.example.');
      expect(await deleteTenant('receiver')).toBe(409);
      await api('receiver', 'DELETE', `/v1/domains/${zone.id}`);
      expect(await deleteTenant('receiver')).toBe(204);
      expect(await history('giver', zone.id)).toEqual(before);
      expect(await statusFor('giver', 'POST', `/v1/domains/${zone.id}/undelete`)).toBe(404);
      expect(await statusFor('giver', 'GET', `/v1/domains/${zone.id}`)).toBe(404);
      // The name is available again, and the new domain starts with an empty history.
      const again = { name: zone.name, email: 'a@example.com' };
      const { id } = await api<{ id: string }>('giver', 'POST', '/v1/domains', again);
      expect((await history('giver', id)).map(({ action }) => action)).toEqual(['domain-create']);
      await api('giver', 'DELETE', `/v1/domains/${id}`);
    },
    TIMEOUT_MS,
  );

  it(
    "D-ZONE-115: the receiver keeps its part if the giver's project is deleted, and nobody has the rest",
    async () => {
      installation.addTenant('heir', ['--account-domain', 'receiver Ltd']);
      logins.receiver = await logIn('heir', 'heir', 'heir');
      const { zone, before } = await handOver('left.example.');
      const own = await history('receiver', zone.id);
      expect(await deleteTenant('giver')).toBe(204);
      expect(await history('receiver', zone.id)).toEqual(own);
      expect(JSON.stringify(own)).not.toContain(SECRET);
      const path = `/v1/domains/${zone.id}`;
      const transferred = own.at(-1)?.serial_after;
      const restore = { serial: transferred, confirm: true };
      await api('receiver', 'POST', `${path}/restore`, restore);
      const earlier = before[0]?.serial_after ?? 0;
      expect(await statusFor('receiver', 'POST', `${path}/changes/${earlier}/revert`)).toBe(404);
      expect(await statusFor('giver', 'GET', `${path}/changes`)).toBe(401);
    },
    TIMEOUT_MS,
  );
});
