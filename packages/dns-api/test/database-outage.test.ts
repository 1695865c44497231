import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { DnsApiService } from '@zonewright/dns-api';
import { inTime, startProxy, type TcpProxy, useTestDatabase, waitFor } from '@zonewright/testkit';
import request from 'supertest';
import { fakeTokens } from './support/fake-tokens.js';
import { testSettings } from './support/use-api.js';

const database = useTestDatabase();
let proxy: TcpProxy;
let service: DnsApiService;
let addresses: Record<string, string>;

beforeAll(async () => {
  const through = await startProxy(database.urlAs(DATABASE_ROLES.dnsApi));
  proxy = through.proxy;
  service = DnsApiService.create(testSettings(through.url), { tokens: fakeTokens });
  addresses = await service.start();
});
afterAll(async () => {
  proxy.restore();
  await service.stop();
  await proxy.stop();
});

const call = (method: 'get' | 'post', path: string, body?: object) =>
  request(addresses['http'] ?? '')
    [method](path)
    .set('X-Auth-Token', 'token-a')
    .send(body);

const create = (name: string) => call('post', '/v1/domains', { name, email: 'a@example.com' });

async function expectUnavailable(...request: Parameters<typeof call>): Promise<void> {
  const response = await inTime(2_000, async () => await call(...request));
  expect(response.status).toBe(503);
  expect(response.headers['retry-after']).toMatch(/^\d+$/);
  expect(response.body).toMatchObject({ code: 503, type: 'unavailable', errors: [] });
}

const readiness = async () => (await fetch(`${addresses['operations'] ?? ''}/readyz`)).status;

describe('PostgreSQL away (DNS API s7)', () => {
  it('reads and writes get 503 with Retry-After within 2 s, and everything recovers automatically', async () => {
    await create('before.example.').expect(200);
    proxy.cut();
    const zone = { name: 'lost.example.', email: 'a@example.com' };
    await expectUnavailable('post', '/v1/domains', zone);
    await expectUnavailable('get', '/v1/domains');
    await expectUnavailable('get', '/v1/limits');
    // v2 uses the same form and type.
    await expectUnavailable('post', '/v2/zones', zone);
    await expectUnavailable('get', '/v2/zones');
    await expectUnavailable('get', '/v2/recordsets?type=A');
    await expectUnavailable('get', '/v2/quotas');
    await waitFor(async () => (await readiness()) === 503);
    proxy.restore();
    await waitFor(async () => (await create('after.example.')).status === 200);
    await waitFor(async () => (await readiness()) === 200);
  });

  it('requests in progress get 503 or their response, and nothing is done partially', async () => {
    const answers = Array.from({ length: 30 }, (_, n) => create(`under-way-${n}.example.`));
    const sent = Promise.all(answers.map(async (answer) => (await answer).status));
    await waitFor(async () => (await countZones('under-way-%')) > 0);
    proxy.cut();
    const statuses = await sent;
    proxy.restore();
    expect(statuses.every((status) => [200, 413, 503].includes(status))).toBe(true);
    const stored = await countZones('under-way-%');
    expect(stored).toBeGreaterThanOrEqual(statuses.filter((status) => status === 200).length);
    const { rows } = await database.db.raw<{ rows: { count: number }[] }>(
      `select count(*) as count from dns.zone_changes as c where c.after ->> 'name' like 'under-way-%'`,
    );
    expect(rows[0]?.count).toBe(stored);
  });

  it('the service starts without it, is not ready, and becomes ready later', async () => {
    proxy.cut();
    const url = new URL(database.urlAs(DATABASE_ROLES.dnsApi));
    url.host = `127.0.0.1:${proxy.port}`;
    const late = DnsApiService.create(testSettings(url.toString()), { tokens: fakeTokens });
    const { operations = '' } = await late.start();
    try {
      expect((await fetch(`${operations}/readyz`)).status).toBe(503);
      expect((await fetch(`${operations}/healthz`)).status).toBe(200);
      proxy.restore();
      await waitFor(async () => (await fetch(`${operations}/readyz`)).ok);
    } finally {
      await late.stop();
    }
  });
});

async function countZones(pattern: string): Promise<number> {
  const { rows } = await database.db.raw<{ rows: { count: number }[] }>(
    'select count(*) as count from dns.domains as d where d.name like ?',
    [pattern],
  );
  return rows[0]?.count ?? 0;
}
