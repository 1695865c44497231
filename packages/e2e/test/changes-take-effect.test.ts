import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sendQuery, describeWithRedis, waitFor } from '@zonewright/testkit';
import { authenticate, call } from './support/clients.js';
import { operate } from './support/operate.js';
import { RunningPlatform } from './support/running-platform.js';

/**
 * Time limit of a change on a machine that runs everything at once. Changes by a user or by admin-cli are visible in
 * running services, and to resolvers, within a second.
 */
const EFFECT_WITHIN_MS = 3_000;
/** Time after which a revoked token is rejected everywhere. */
const DEAD_WITHIN_MS = 100;

describe('changes take effect in running services', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string>;
  let domains: string;
  let token: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    facts = await platform.readDemoEnvironment();
    domains = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`;
  }, 120_000);
  afterAll(async () => {
    await platform.remove();
  });
  beforeEach(async () => {
    token = await authenticate(facts);
    // dns-api has now cached the validation of this token.
    expect(await statusOfList()).toBe(200);
  });

  const statusOfList = async () => (await call(domains, { token })).status;

  const operateHere = (...args: string[]) => {
    operate(platform, ...args);
  };

  it('login, domain, record, DNS answer, change and deletion end with NXDOMAIN', async () => {
    const domain = await call(domains, {
      method: 'POST',
      token,
      body: { name: 'e2e.example.', ttl: 3600, email: 'hostmaster@e2e.example' },
    });
    expect(domain.status).toBe(200);
    const records = `${domains}/${(domain.body as { id: string }).id}/records`;
    const record = await call(records, {
      method: 'POST',
      token,
      body: { name: 'www.e2e.example.', type: 'A', data: '192.0.2.1', ttl: 60 },
    });
    expect(record.status).toBe(200);
    const location = record.headers.get('location') ?? '';

    const www = () => sendQuery(platform.nameserver, 'www.e2e.example', 'A');
    const answersWith = (address: string) =>
      waitFor(async () => {
        const { answers } = await www();
        return answers.some((answer) => 'data' in answer && answer.data === address);
      }, EFFECT_WITHIN_MS);

    await answersWith('192.0.2.1');
    for (const transport of ['udp', 'tcp'] as const) {
      const response = await sendQuery(platform.nameserver, 'www.e2e.example', 'A', { transport });
      expect(response).toMatchObject({ rcode: 'NOERROR', isAuthoritative: true });
      expect(response.answers).toEqual([
        expect.objectContaining({ name: 'www.e2e.example', ttl: 60, data: '192.0.2.1' }),
      ]);
    }

    const changed = await call(location, { method: 'PUT', token, body: { data: '192.0.2.2' } });
    expect(changed.status).toBe(200);
    await answersWith('192.0.2.2');

    const deleted = await call(location, { method: 'DELETE', token });
    expect(deleted).toMatchObject({ status: 200, body: undefined });
    await waitFor(async () => (await www()).rcode === 'NXDOMAIN', EFFECT_WITHIN_MS);
    expect((await www()).authorities).toEqual([expect.objectContaining({ type: 'SOA' })]);
  });

  it('D-NS: a new domain has its SOA and the six nameservers', async () => {
    await call(domains, {
      method: 'POST',
      token,
      body: { name: 'apex.example.', ttl: 300, email: 'hostmaster@apex.example' },
    });
    await waitFor(
      async () =>
        (await sendQuery(platform.nameserver, 'apex.example', 'SOA')).answers.length === 1,
      EFFECT_WITHIN_MS,
    );
    const ns = await sendQuery(platform.nameserver, 'apex.example', 'NS');
    expect(ns.answers).toHaveLength(6);
    const nodata = await sendQuery(platform.nameserver, 'apex.example', 'MX');
    expect(nodata).toMatchObject({ rcode: 'NOERROR', answers: [] });
    expect((await sendQuery(platform.nameserver, 'elsewhere.invalid', 'A')).rcode).toBe('REFUSED');
  });

  it('a wrong password and an invented token are refused', async () => {
    await expect(authenticate({ ...facts, ZONEWRIGHT_PASSWORD: 'wrong' })).rejects.toThrow();
    expect((await call(domains, { token: 'made-up' })).status).toBe(401);
    expect((await call(domains)).status).toBe(401);
  });

  it('D-ZONE: a disabled user gets 403, and is admitted again when enabled', async () => {
    operateHere('user', 'disable', 'demo');
    await waitFor(async () => (await statusOfList()) === 403, EFFECT_WITHIN_MS);
    operateHere('user', 'enable', 'demo');
    await waitFor(async () => (await statusOfList()) === 200, EFFECT_WITHIN_MS);
  });

  it('D-ZONE: a tenant whose DNS service is deactivated gets 401', async () => {
    operateHere('service', 'deactivate', 'DNS', 'demo');
    await waitFor(async () => (await statusOfList()) === 401, EFFECT_WITHIN_MS);
    operateHere('service', 'activate', 'DNS', 'demo');
    await waitFor(async () => (await statusOfList()) === 200, EFFECT_WITHIN_MS);
  });

  it('a new quota takes effect at once', async () => {
    const limits = async () =>
      (await call(`${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/limits`, { token })).body;
    operateHere('quota', 'set', 'demo', '--max-domains', '7');
    expect(await limits()).toMatchObject({ limits: { absolute: { maxDomains: 7 } } });
  });

  it('a nameserver with a new address is announced with it', async () => {
    operateHere('nameserver', 'set', 'ns1-6', '--ipv4', '192.0.2.66');
    await waitFor(async () => {
      const { answers } = await sendQuery(platform.nameserver, 'ns1-6.zonewright.example', 'A');
      return answers.some((answer) => 'data' in answer && answer.data === '192.0.2.66');
    }, EFFECT_WITHIN_MS);
  });

  it('after a rotation of the signing key, old tokens stay valid and new ones work everywhere', async () => {
    operateHere('signing-key', 'rotate');
    expect(await statusOfList()).toBe(200);
    token = await authenticate(facts);
    expect(await statusOfList()).toBe(200);
  });

  describeWithRedis('with Redis', () => {
    it('Identity s3: a revoked token is invalid in the DNS API within 100 ms', async () => {
      const revoked = await call(
        `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/HP-IDM/v1.0/tokens/${token}`,
        { method: 'DELETE', token },
      );
      expect(revoked.status).toBe(200);
      await waitFor(async () => (await statusOfList()) === 401, DEAD_WITHIN_MS);
    });
  });
});
