import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { DnsApiService } from '@zonewright/dns-api';
import {
  createRedisNamespace,
  describeWithRedis,
  FakeClock,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { fakeTokens } from './support/fake-tokens.js';
import { createDomain, createRecord } from './support/fixtures.js';
import { testSettings, useApi } from './support/use-api.js';

/** The unused limit of ten minutes, 640 KB, may be written at once. */
const LIMIT = 64_000;
const env = { DNS_API_MAX_WRITE_BYTES_PER_MINUTE: String(LIMIT), DNS_API_MAX_DOMAINS: '1000' };
const clock = new FakeClock();
const api = useApi({ env, overrides: { clock } });
/** In this API, 10 KB may be written at once. */
const little = useApi({
  env: { ...env, DNS_API_MAX_WRITE_BYTES_PER_MINUTE: '1024' },
  overrides: { clock },
});
const text = (letter: string) => letter.repeat(50_000);

beforeEach(() => {
  // After this time no usage is left.
  clock.advance(60 * 60 * 1_000);
});

/** Changes a large record until a change is refused. @returns the refusal, and the number of successful changes */
async function writeUntilRefused(path: string, most = 20) {
  for (let n = 0; n < most; n += 1) {
    const response = await api.call('put', path, { data: text('ab'[n % 2] ?? '') });
    if (response.status !== 200) return { response, done: n };
  }
  throw new Error('it was never refused');
}

describe('What a tenant may write (DNS_API_MAX_WRITE_BYTES_PER_MINUTE)', () => {
  it('is refused with 429 and Retry-After beyond ten minutes at once, and accepted again later', async () => {
    const zone = await createDomain(api);
    const { id } = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'TXT',
      data: text('c'),
    });
    const path = `/v1/domains/${zone.id}/records/${id}`;
    const { response, done } = await writeUntilRefused(path);
    // Each change writes the data, the wire form and the value before.
    expect(done).toBeGreaterThanOrEqual(2);
    expect(done).toBeLessThanOrEqual(5);
    expect(response.status).toBe(429);
    expect(response.body).toMatchObject({ code: 429, type: 'rate_limited' });
    const seconds = Number(response.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    await createDomain(api, {}, 'token-b');
    await api.call('get', path).expect(200);
    clock.advance(seconds * 1_000);
    await api.call('put', path, { ttl: 60 }).expect(200);
  });

  it('ADR 0044: small changes count, too, which are written together with others', async () => {
    const zone = await createDomain(little);
    const { id } = await createRecord(little, zone.id, {
      ...{ name: zone.name, type: 'TXT', data: 'x'.repeat(250) },
    });
    clock.advance(60 * 60 * 1_000);
    const statuses: number[] = [];
    while (statuses.length < 50 && statuses.at(-1) !== 429) {
      const change = { ttl: 60 + statuses.length };
      const { status } = await little.call('put', `/v1/domains/${zone.id}/records/${id}`, change);
      statuses.push(status);
    }
    // Each change writes at least 1 KB: data and wire form, and both records in the history. Longer data needs a
    // separate transaction.
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeGreaterThan(2);
  });

  it("follows the tenant's quota, also while it holds debts", async () => {
    await api.db.raw(
      `insert into dns.quotas (tenant_id, max_write_octets) values ('tenant-a', ?)`,
      [LIMIT * 100],
    );
    const zone = await createDomain(api);
    const { id } = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'TXT',
      data: text('c'),
    });
    await expect(writeUntilRefused(`/v1/domains/${zone.id}/records/${id}`, 12)).rejects.toThrow(
      'never refused',
    );
    await api.db.raw('delete from dns.quotas');
  });
});

describeWithRedis('What a tenant may write through several replicas', () => {
  const database = useTestDatabase();
  const redis = createRedisNamespace();
  const services: DnsApiService[] = [];
  const urls: string[] = [];

  beforeAll(async () => {
    for (let n = 0; n < 2; n += 1) {
      const settings = testSettings(database.urlAs(DATABASE_ROLES.dnsApi), {
        ...env,
        DNS_API_MAX_WRITE_BYTES_PER_MINUTE: '8000',
        REDIS_URL: redis.url,
        REDIS_KEY_PREFIX: redis.prefix,
      });
      const service = DnsApiService.create(settings, { tokens: fakeTokens });
      services.push(service);
      urls.push((await service.start())['http'] ?? '');
    }
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await redis.clear();
  });

  async function create(url: string, name: string, description = ''): Promise<number> {
    const response = await fetch(`${url}/v1/domains`, {
      method: 'POST',
      headers: { 'X-Auth-Token': 'token-a', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `${name}.example.`, email: 'a@example.com', description }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  it('is counted together: each replica knows with its next change what others have written', async () => {
    const [first = '', second = ''] = urls;
    expect(await create(second, 'both')).toBe(200);
    let n = 0;
    while (n < 200 && (await create(first, `n${n}`, 'x'.repeat(150))) === 200) n += 1;
    expect(n).toBeLessThan(200);
    await waitFor(async () => (await create(second, `m${(n += 1)}`)) === 429);
    const { rows } = await database.db.raw<{ rows: { count: number }[] }>(
      `select count(*) as count from dns.domains where name like 'm%'`,
    );
    expect(rows[0]?.count).toBeLessThanOrEqual(3);
  }, 60_000);
});
