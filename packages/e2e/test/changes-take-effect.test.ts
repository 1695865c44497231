import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, describeWithRedis, waitFor } from '@zonewright/testkit';
import { authenticate, call } from './support/clients.js';
import { operate } from './support/operate.js';
import { RunningPlatform } from './support/running-platform.js';

/** What the operator's command changes takes effect in running services within a second. */
const EFFECT_WITHIN_MS = 1_000;
/** A revoked token is dead everywhere within this time. */
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
    // From here on dns-api has the answer about this token in its cache.
    expect(await statusOfList()).toBe(200);
  });

  const statusOfList = async () => (await call(domains, { token })).status;

  const operateHere = (...args: string[]) => {
    operate(platform, ...args);
  };

  it('decisions 3: a disabled user gets 403, and is let in again when enabled', async () => {
    operateHere('user', 'disable', 'demo');
    await waitFor(async () => (await statusOfList()) === 403, EFFECT_WITHIN_MS);
    operateHere('user', 'enable', 'demo');
    await waitFor(async () => (await statusOfList()) === 200, EFFECT_WITHIN_MS);
  });

  it('decisions 3: a tenant whose DNS service is deactivated gets 401', async () => {
    operateHere('service', 'deactivate', 'DNS', 'demo');
    await waitFor(async () => (await statusOfList()) === 401, EFFECT_WITHIN_MS);
    operateHere('service', 'activate', 'DNS', 'demo');
    await waitFor(async () => (await statusOfList()) === 200, EFFECT_WITHIN_MS);
  });

  it('a quota that is set counts at once', async () => {
    const limits = async () =>
      (await call(`${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/limits`, { token })).body;
    operateHere('quota', 'set', 'demo', '--max-domains', '7');
    expect(await limits()).toMatchObject({ limits: { absolute: { maxDomains: 7 } } });
  });

  it('a nameserver that gets another address is announced with it', async () => {
    operateHere('nameserver', 'set', 'ns1-6', '--ipv4', '192.0.2.66');
    await waitFor(async () => {
      const { answers } = await ask(platform.nameserver, 'ns1-6.zonewright.example', 'A');
      return answers.some((answer) => 'data' in answer && answer.data === '192.0.2.66');
    }, EFFECT_WITHIN_MS);
  });

  it('a rotated signing key: old tokens go on, new ones work everywhere', async () => {
    operateHere('signing-key', 'rotate');
    expect(await statusOfList()).toBe(200);
    token = await authenticate(facts);
    expect(await statusOfList()).toBe(200);
  });

  describeWithRedis('with Redis', () => {
    it('Identity s3: a revoked token is dead in the DNS API within 100 ms', async () => {
      const revoked = await call(
        `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/HP-IDM/v1.0/tokens/${token}`,
        { method: 'DELETE', token },
      );
      expect(revoked.status).toBe(200);
      await waitFor(async () => (await statusOfList()) === 401, DEAD_WITHIN_MS);
    });
  });
});
