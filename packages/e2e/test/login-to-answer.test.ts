import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, waitFor } from '@zonewright/testkit';
import { authenticate, call } from './support/clients.js';
import { RunningPlatform } from './support/running-platform.js';

/** A change must be visible to resolvers within a second. */
const VISIBLE_WITHIN_MS = 1_000;

describe('from login to DNS answer, over real sockets', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string>;
  let domains: string;
  let token: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    facts = await platform.readDemoEnvironment();
    domains = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`;
    token = await authenticate(facts);
  }, 120_000);
  afterAll(async () => {
    await platform.remove();
  });

  it('login -> domain -> record -> DNS answer -> change -> delete -> NXDOMAIN', async () => {
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

    const www = () => ask(platform.nameserver, 'www.e2e.example', 'A');
    const answersWith = (address: string) =>
      waitFor(async () => {
        const { answers } = await www();
        return answers.some((answer) => 'data' in answer && answer.data === address);
      }, VISIBLE_WITHIN_MS);

    await answersWith('192.0.2.1');
    for (const transport of ['udp', 'tcp'] as const) {
      const response = await ask(platform.nameserver, 'www.e2e.example', 'A', { transport });
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
    await waitFor(async () => (await www()).rcode === 'NXDOMAIN', VISIBLE_WITHIN_MS);
    expect((await www()).authorities).toEqual([expect.objectContaining({ type: 'SOA' })]);
  });

  it('decisions 4: a new domain has its SOA and the six nameservers', async () => {
    await call(domains, {
      method: 'POST',
      token,
      body: { name: 'apex.example.', ttl: 300, email: 'hostmaster@apex.example' },
    });
    await waitFor(
      async () => (await ask(platform.nameserver, 'apex.example', 'SOA')).answers.length === 1,
      VISIBLE_WITHIN_MS,
    );
    const ns = await ask(platform.nameserver, 'apex.example', 'NS');
    expect(ns.answers).toHaveLength(6);
    const nodata = await ask(platform.nameserver, 'apex.example', 'MX');
    expect(nodata).toMatchObject({ rcode: 'NOERROR', answers: [] });
    expect((await ask(platform.nameserver, 'elsewhere.invalid', 'A')).rcode).toBe('REFUSED');
  });

  it('a wrong password and a made-up token are refused', async () => {
    await expect(authenticate({ ...facts, ZONEWRIGHT_PASSWORD: 'wrong' })).rejects.toThrow();
    expect((await call(domains, { token: 'made-up' })).status).toBe(401);
    expect((await call(domains)).status).toBe(401);
  });
});
