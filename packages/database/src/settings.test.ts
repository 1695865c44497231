import { describe, expect, it } from '@jest/globals';
import { listSettings, readSettings } from '@zonewright/service-kit';
import { DATABASE_ROLES } from './connection/connection.js';
import { MIGRATE_SETTINGS } from './settings.js';

describe('the settings of migrate', () => {
  it('require only the database', () => {
    expect(readSettings(MIGRATE_SETTINGS, { DATABASE_URL: 'postgres://h/d' })).toEqual({
      databaseUrl: 'postgres://h/d',
      waitSeconds: 60,
      first: {
        soa: {
          refreshSeconds: 14_400,
          retrySeconds: 3_600,
          expireSeconds: 1_209_600,
          minimumSeconds: 300,
        },
        nameserverDomainTtlSeconds: 3_600,
      },
      connectionLimits: { dnsApi: 0, identityService: 0, nameserver: 50, signer: 0 },
      passwords: {
        identityService: undefined,
        dnsApi: undefined,
        nameserver: undefined,
        signer: undefined,
        operator: undefined,
      },
    });
  });

  it('have a secret password for each role', () => {
    expect(Object.keys(MIGRATE_SETTINGS.passwords)).toEqual(Object.keys(DATABASE_ROLES));
    expect(listSettings(MIGRATE_SETTINGS.passwords).every(({ secret }) => secret)).toBe(true);
  });
});
