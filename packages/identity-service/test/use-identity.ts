import { afterAll, beforeAll } from '@jest/globals';
import { DATABASE_ROLES, generateKeyringText, parseKeyring } from '@zonewright/database';
import { type Clock, type Logger, readSettings } from '@zonewright/service-kit';
import {
  type IdentityWorld,
  recordAnswers,
  seedIdentity,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { IDENTITY_SERVICE_SETTINGS, IdentityService } from '../src/index.js';
import { IDENTITY_API } from './recorded-api.js';

// The responses of all services that the file starts are recorded.
recordAnswers(IDENTITY_API);

const keyringText = generateKeyringText('test');
/** The keyring of every service that these helpers start. */
export const keyring = parseKeyring(keyringText);

export interface ServiceOptions {
  /** Environment variables in addition to the usual ones of tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly log?: Logger;
}

export interface RunningIdentity {
  readonly url: string;
  readonly operationsUrl: string;
  stop(): Promise<void>;
}

/** A running service with a separate database and a seeded world; available from beforeAll on. */
export interface IdentityHandle {
  readonly url: string;
  readonly operationsUrl: string;
  readonly world: IdentityWorld;
  readonly databaseUrl: string;
  readonly db: ReturnType<typeof useTestDatabase>['db'];
}

/** Starts a service without limits, log and Redis, unless `options` specifies otherwise. */
export async function startIdentity(
  databaseUrl: string,
  { env = {}, clock, log }: ServiceOptions = {},
): Promise<RunningIdentity> {
  const service = IdentityService.create(testSettings(databaseUrl, env), {
    ...(clock === undefined ? {} : { clock }),
    ...(log === undefined ? {} : { log }),
  });
  const addresses = await service.start();
  return {
    url: addresses['http'] ?? '',
    operationsUrl: addresses['operations'] ?? '',
    stop: () => service.stop(),
  };
}

/** Returns settings for a service in a test. */
export function testSettings(
  databaseUrl = 'postgres://unused',
  env: Readonly<Record<string, string>> = {},
) {
  return readSettings(IDENTITY_SERVICE_SETTINGS, {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: keyringText,
    IDENTITY_HOST: '127.0.0.1',
    IDENTITY_PORT: '0',
    IDENTITY_OPERATIONS_PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'false',
    ...env,
  });
}

/** Creates a database for the test file, with a world in it and a service that uses it. */
export function useIdentity(options: ServiceOptions = {}): IdentityHandle {
  const database = useTestDatabase();
  let world: IdentityWorld | undefined;
  let running: RunningIdentity | undefined;

  beforeAll(async () => {
    world = await seedIdentity(database.db, keyring);
    running = await startIdentity(database.urlAs(DATABASE_ROLES.identityService), options);
    await waitUntilReady(running);
  });
  afterAll(() => running?.stop());

  return {
    get url() {
      return running?.url ?? '';
    },
    get operationsUrl() {
      return running?.operationsUrl ?? '';
    },
    get world() {
      if (world === undefined) throw new Error('The world does not exist before beforeAll.');
      return world;
    },
    get db() {
      return database.db;
    },
    get databaseUrl() {
      return database.urlAs(DATABASE_ROLES.identityService);
    },
  };
}

/** Waits until the service has reached its Redis; before that it counts and reads without it. */
export async function waitUntilOnRedis({
  operationsUrl,
}: Pick<RunningIdentity, 'operationsUrl'>): Promise<void> {
  await waitFor(async () => {
    const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
    return metrics.includes('zonewright_identity_redis_ready 1');
  });
}

export async function waitUntilReady({ operationsUrl }: RunningIdentity): Promise<void> {
  await waitFor(async () => (await fetch(`${operationsUrl}/readyz`)).ok);
}
