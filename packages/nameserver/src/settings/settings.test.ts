import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@zonewright/service-kit';
import { NAMESERVER_SETTINGS } from './settings.js';
import { parseNetwork } from '../transport/source-address.js';

const REQUIRED = { DATABASE_URL: 'postgres://somebody@127.0.0.1/zonewright' };
const read = (env: Record<string, string>) =>
  readSettings(NAMESERVER_SETTINGS, { ...REQUIRED, ...env });

describe('NAMESERVER_SETTINGS', () => {
  it('all settings but the database have defaults', () => {
    const settings = read({});
    expect(settings.listen).toMatchObject({ hosts: ['0.0.0.0', '::'], port: 53 });
    expect(settings.cookieSecrets).toEqual([]);
    expect(settings.rateLimit.exemptNetworks).toEqual([
      parseNetwork('127.0.0.0/8'),
      parseNetwork('::1/128'),
    ]);
  });

  it('D-NS: SOA times and TTL come from the database, unless the environment sets them', () => {
    expect(read({}).soa).toEqual({
      refreshSeconds: undefined,
      retrySeconds: undefined,
      expireSeconds: undefined,
      minimumSeconds: undefined,
    });
    const given = read({ NAMESERVER_SOA_RETRY_SECONDS: '7', NAMESERVER_DOMAIN_TTL_SECONDS: '8' });
    expect([given.soa.retrySeconds, given.nameserverDomainTtlSeconds]).toEqual([7, 8]);
  });

  it('RFC 9018 s5: takes several cookie secrets, the newest first', () => {
    const secrets = ['00112233445566778899aabbccddeeff', 'FF112233445566778899AABBCCDDEEFF'];
    const { cookieSecrets } = read({ NAMESERVER_COOKIE_SECRETS: secrets.join(', ') });
    expect(cookieSecrets.map((secret) => Buffer.from(secret).toString('hex'))).toEqual(
      secrets.map((secret) => secret.toLowerCase()),
    );
  });

  it.each([
    ['NAMESERVER_HOST', 'localhost', 'must contain IP addresses only, not "localhost"'],
    ['NAMESERVER_HOST', ' , ', 'must contain at least one address'],
    ['NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS', '192.0.2.0/33', 'must contain networks such as'],
    ['NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS', '192.0.2.0', 'must contain networks such as'],
    ['NAMESERVER_COOKIE_SECRETS', 'abc', 'is malformed'],
  ])('explains the error in %s=%s', (variable, value, problem) => {
    expect(() => read({ [variable]: value })).toThrow(`${variable} ${problem}`);
  });
});
