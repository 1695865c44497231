import { afterAll, beforeAll } from '@jest/globals';
import {
  type Database,
  DATABASE_ROLES,
  generateKeyringText,
  parseKeyring,
} from '@zonewright/database';
import { type DnsApiOverrides, DnsApiService } from '@zonewright/dns-api';
import { IDENTITY_SERVICE_SETTINGS, IdentityService } from '@zonewright/identity-service';
import { type Clock, readSettings } from '@zonewright/service-kit';
import { type IdentityWorld, seedIdentity, useTestDatabase, waitFor } from '@zonewright/testkit';
import { testSettings } from './use-api.js';

const keyringText = generateKeyringText('test');
/** The keyring of every identity service that these helpers start. */
export const keyring = parseKeyring(keyringText);

export interface PlatformOptions {
  /** Environment variables of both services in addition to the usual ones of tests. */
  readonly env?: () => Readonly<Record<string, string>>;
  readonly identityClock?: Clock;
  readonly overrides?: DnsApiOverrides;
}

/** Both services in this process with one database; available from beforeAll on. */
export interface Platform {
  readonly identityUrl: string;
  readonly dnsUrl: string;
  readonly world: IdentityWorld;
  readonly db: Database;
  /** The URL with which dns-api itself logs in. */
  readonly databaseUrl: string;
  readonly identity: IdentityService;
  /** Logs in with a password and returns the token, which is unscoped if no tenant is given. */
  login(user: { name: string; password: string }, tenantId?: string): Promise<string>;
  revoke(token: string): Promise<void>;
}

/** Starts a real identity service and a DNS API that uses it. */
export function usePlatform(options: PlatformOptions = {}): Platform {
  const database = useTestDatabase();
  let running: { identity: IdentityService; dns: DnsApiService } | undefined;
  let world: IdentityWorld | undefined;
  let identityUrl = '';
  let dnsUrl = '';

  beforeAll(async () => {
    const env = options.env?.() ?? {};
    world = await seedIdentity(database.db, keyring);
    const identity = IdentityService.create(
      readSettings(IDENTITY_SERVICE_SETTINGS, {
        DATABASE_URL: database.urlAs(DATABASE_ROLES.identityService),
        ENCRYPTION_KEYS: keyringText,
        IDENTITY_HOST: '127.0.0.1',
        IDENTITY_PORT: '0',
        IDENTITY_OPERATIONS_PORT: '0',
        LOG_LEVEL: 'silent',
        RATE_LIMITS: 'false',
        ...env,
      }),
      options.identityClock === undefined ? {} : { clock: options.identityClock },
    );
    identityUrl = (await identity.start())['http'] ?? '';
    const dns = DnsApiService.create(
      testSettings(database.urlAs(DATABASE_ROLES.dnsApi), {
        IDENTITY_URL: identityUrl,
        DNS_API_SERVICE_ACCESS_KEY: world.serviceAccessKey.accessKey,
        DNS_API_SERVICE_SECRET_KEY: world.serviceAccessKey.secretKey,
        ...env,
      }),
      options.overrides,
    );
    const addresses = await dns.start();
    dnsUrl = addresses['http'] ?? '';
    running = { identity, dns };
    await waitFor(async () => (await fetch(`${addresses['operations'] ?? ''}/readyz`)).ok);
  });
  afterAll(async () => {
    await running?.dns.stop();
    await running?.identity.stop();
  });

  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The platform does not exist before beforeAll.');
    return value;
  };
  return {
    get identityUrl() {
      return identityUrl;
    },
    get dnsUrl() {
      return dnsUrl;
    },
    get world() {
      return started(world);
    },
    get db() {
      return database.db;
    },
    get databaseUrl() {
      return database.urlAs(DATABASE_ROLES.dnsApi);
    },
    get identity() {
      return started(running).identity;
    },
    login: async ({ name, password }, tenantId) => {
      const passwordCredentials = { username: name, password };
      const body = JSON.stringify({
        auth: { passwordCredentials, ...(tenantId === undefined ? {} : { tenantId }) },
      });
      const headers = { 'content-type': 'application/json' };
      const ask = () => fetch(`${identityUrl}/v2.0/tokens`, { method: 'POST', headers, body });
      let response = await ask();
      // On a busy machine the service may have no time and answer 503.
      await waitFor(async () => response.status !== 503 || (response = await ask()).status !== 503);
      if (response.status !== 200) throw new Error(`cannot log in: ${response.status}`);
      return ((await response.json()) as { access: { token: { id: string } } }).access.token.id;
    },
    revoke: async (token) => {
      const headers = { 'x-auth-token': token };
      await waitFor(async () => {
        const url = `${identityUrl}/v2.0/tokens/${token}`;
        return (await fetch(url, { method: 'DELETE', headers })).status !== 503;
      });
    },
  };
}
