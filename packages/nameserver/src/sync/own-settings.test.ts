import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@zonewright/service-kit';
import { NAMESERVER_SETTINGS } from '../settings/settings.js';
import { completeSettings, describeIgnored } from './own-settings.js';

const given = readSettings(NAMESERVER_SETTINGS, {
  DATABASE_URL: 'postgres://somebody@127.0.0.1/zonewright',
  NAMESERVER_SOA_MINIMUM_SECONDS: '60',
  NAMESERVER_DOMAIN_TTL_SECONDS: '3600',
});

describe('settings of the environment, and those of the database', () => {
  it('are completed by the first values for a database without any', () => {
    expect(completeSettings(given)).toEqual({
      soa: {
        refreshSeconds: 14_400,
        retrySeconds: 3_600,
        expireSeconds: 1_209_600,
        minimumSeconds: 60,
      },
      nameserverDomainTtlSeconds: 3_600,
    });
  });

  it('are reported if they differ', () => {
    const settings = completeSettings(given);
    const soa = { ...settings.soa, minimumSeconds: 300, retrySeconds: 1 };
    expect(describeIgnored(given, { ...settings, soa })).toBe('NAMESERVER_SOA_MINIMUM_SECONDS=60');
    expect(describeIgnored(given, settings)).toBeUndefined();
    expect(describeIgnored(given, undefined)).toBeUndefined();
  });
});
