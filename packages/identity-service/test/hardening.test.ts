import { afterEach, describe, expect, it } from '@jest/globals';
import { call, tokenOf } from './client.js';
import { type RunningIdentity, startIdentity, useIdentity } from './use-identity.js';

const identity = useIdentity();
let service: RunningIdentity | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const start = async (env: Record<string, string>) =>
  (service = await startIdentity(identity.databaseUrl, { env }));

describe('What responses tell browsers and caches', () => {
  it('forbid type sniffing and caching, for responses, errors and invalid requests', async () => {
    const token = await tokenOf(identity.url, identity.world.user);
    for (const path of ['/', '/v2.0/tenants', `/v2.0/tokens/${token}`, '/nowhere']) {
      const { headers } = await call(identity.url, { path, token });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(headers['strict-transport-security']).toBeUndefined();
    }
  });

  it('a refused request does not end a connection that others may use', async () => {
    const { status, headers } = await fetch(`${identity.url}/nowhere`);
    expect(status).toBe(404);
    expect(headers.get('connection')).toBe('keep-alive');
  });

  it('for an allowed origin, Vary names the origin in addition to the format', async () => {
    const { url } = await start({ IDENTITY_CORS_ORIGINS: 'https://console.example.net' });
    const { headers } = await call(url, {
      path: '/',
      headers: { origin: 'https://console.example.net' },
    });
    expect(headers['vary']).toBe('Origin, Accept');
    expect(headers['access-control-allow-origin']).toBe('https://console.example.net');
    expect((await call(url, { path: '/' })).headers['vary']).toBe('Accept');
  });
});

describe('TRUST_PROXY', () => {
  const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'identity.example.net' };
  const selfOf = async (url: string, headers: Record<string, string>) => {
    const { json } = await call(url, { path: '/v3', headers });
    return (json as { version: { links: { href: string }[] } }).version.links[0]?.href;
  };

  it('0: ignores X-Forwarded-* headers', async () => {
    const { url } = await start({});
    expect(await selfOf(url, FORWARDED)).toBe(`${url}/v3/`);
  });

  it('1: links begin with the address at which the client found the proxy', async () => {
    const { url } = await start({ TRUST_PROXY: '1' });
    expect(await selfOf(url, FORWARDED)).toBe('https://identity.example.net/v3/');
  });

  it('an invalid host is never used in links', async () => {
    const { url } = await start({ TRUST_PROXY: '1' });
    const hostile = {
      'x-forwarded-host': 'evil.example/"><script>',
      'x-forwarded-proto': 'javascript',
    };
    expect(await selfOf(url, hostile)).toBe(`${url}/v3/`);
  });
});
