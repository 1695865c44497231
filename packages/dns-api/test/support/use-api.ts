import { afterAll, beforeAll } from '@jest/globals';
import { DNS_API_SETTINGS, type DnsApiOverrides, DnsApiService } from '@zonewright/dns-api';
import { type Database, DATABASE_ROLES } from '@zonewright/database';
import { readSettings } from '@zonewright/service-kit';
import { recordAnswers, useTestDatabase } from '@zonewright/testkit';
import request, { type Test } from 'supertest';
import { fakeTokens } from './fake-tokens.js';
import { DNS_API } from './recorded-api.js';

// The responses of all services that the file starts are recorded.
recordAnswers(DNS_API);

interface ApiOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: DnsApiOverrides;
  /** Runs when the database exists, and returns variables for the service in addition to `env`. */
  readonly prepare?: (databaseUrl: string) => Promise<Readonly<Record<string, string>>>;
}

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/** The API under test in this process, with a separate database and only its own rights. */
export interface Api {
  readonly url: string;
  readonly operationsUrl: string;
  /** The URL with which the service itself logs in. */
  readonly databaseUrl: string;
  /** The database with the rights of the schema's owner. */
  readonly db: Database;
  /** Sends a request of tenant A. */
  call(method: Method, path: string, body?: object): Test;
  /** Sends a request with another token, or without one. */
  callAs(token: string | undefined, method: Method, path: string, body?: object): Test;
}

/** Returns settings for a service in a test, without logs and on free ports. */
export function testSettings(databaseUrl: string, env: Readonly<Record<string, string>> = {}) {
  return readSettings(DNS_API_SETTINGS, {
    LOG_LEVEL: 'silent',
    DNS_API_HOST: '127.0.0.1',
    DNS_API_PORT: '0',
    DNS_API_OPERATIONS_PORT: '0',
    DNS_API_MAX_WRITE_BYTES_PER_MINUTE: String(2 ** 40),
    DNS_API_SERVICE_ACCESS_KEY: 'unused',
    DNS_API_SERVICE_SECRET_KEY: 'unused',
    DATABASE_URL: databaseUrl,
    ...env,
  });
}

/** Starts the service for a test file and stops it at the end. */
export function useApi({ env, overrides, prepare }: ApiOptions = {}): Api {
  const database = useTestDatabase();
  let service: DnsApiService | undefined;
  let addresses: Record<string, string> = {};

  beforeAll(async () => {
    const prepared = await prepare?.(database.url);
    const url = database.urlAs(DATABASE_ROLES.dnsApi);
    service = DnsApiService.create(testSettings(url, { ...env, ...prepared }), {
      tokens: fakeTokens,
      ...overrides,
    });
    addresses = await service.start();
  });
  afterAll(async () => {
    await service?.stop();
  });

  const callAs: Api['callAs'] = (token, method, path, body) => {
    const call = request(addresses['http'] ?? '')[method](path);
    if (token !== undefined) call.set('X-Auth-Token', token);
    return body === undefined ? call : call.send(body);
  };
  return {
    get url() {
      return addresses['http'] ?? '';
    },
    get operationsUrl() {
      return addresses['operations'] ?? '';
    },
    get databaseUrl() {
      return database.urlAs(DATABASE_ROLES.dnsApi);
    },
    get db() {
      return database.db;
    },
    callAs,
    call: (method, path, body) => callAs('token-a', method, path, body),
  };
}
