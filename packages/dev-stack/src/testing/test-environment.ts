import { createTemplateDatabase, dropTemplateDatabase } from '@zonewright/database';
import { freePort } from '@zonewright/service-kit';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres, embeddedPostgresUrl } from '../embedded/postgres-server.js';
import { EmbeddedRedis, embeddedRedisUrl, hasRedisServer } from '../embedded/redis-server.js';
import { Watchdog } from '../embedded/watchdog-client.js';

/** Servers of a test run. `variables` pass their addresses to the test files. */
export interface TestEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface TestEnvironmentOptions {
  /** PostgreSQL to use instead of an embedded one. */
  readonly databaseUrl: string | undefined;
  /** Redis to use instead of a new one. */
  readonly redisUrl: string | undefined;
  /** Whether an embedded PostgreSQL waits for its disk, as in production. */
  readonly isDurable?: boolean;
  readonly onProgress: (line: string) => void;
}

/**
 * Test data need not survive a crash of the machine, so the server need not wait for the disk. Commits stay
 * synchronous, since tests kill PostgreSQL and check the acknowledged data.
 */
const TEST_SETTINGS = { fsync: 'off', full_page_writes: 'off' };

/** Starts PostgreSQL and Redis for tests on free ports, and creates the template database. */
export async function startTestEnvironment(
  options: TestEnvironmentOptions,
): Promise<TestEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-test-'));
  // Root must be able to give access to an unprivileged user. Secrets in the folder have stricter modes.
  await chmod(folder, 0o755);
  const portClaims = join(folder, 'ports');
  await mkdir(portClaims);
  // The servers below use this variable, too.
  process.env['ZONEWRIGHT_PORT_CLAIMS'] = portClaims;
  const watchdog = new Watchdog();
  const cleanUp: (() => Promise<void> | void)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => {
      watchdog.close();
    },
  ];
  const onUnexpectedExit = () => {
    options.onProgress('A server of the test run ended unexpectedly: its tests will fail.');
  };
  const stop = async () => {
    while (cleanUp.length > 0) await cleanUp.pop()?.();
  };
  try {
    const run = { ...options, folder, watchdog, cleanUp, onUnexpectedExit };
    const postgresUrl = await startPostgres(run);
    const redisUrl = await startRedis(run);
    const template = await createTemplateDatabase(postgresUrl);
    cleanUp.push(() => dropTemplateDatabase(postgresUrl, template));
    return {
      variables: {
        ZONEWRIGHT_PORT_CLAIMS: portClaims,
        ZONEWRIGHT_TEST_POSTGRES_URL: postgresUrl,
        ZONEWRIGHT_TEST_TEMPLATE: template,
        ZONEWRIGHT_TEST_FOLDER: folder,
        ...(redisUrl === undefined ? {} : { ZONEWRIGHT_TEST_REDIS_URL: redisUrl }),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Test run whose servers are being started. */
interface Run extends TestEnvironmentOptions {
  readonly folder: string;
  readonly watchdog: Watchdog;
  /** Functions that stop the servers. The last one runs first. */
  readonly cleanUp: (() => Promise<void> | void)[];
  readonly onUnexpectedExit: () => void;
}

async function startPostgres({ folder, watchdog, cleanUp, ...run }: Run): Promise<string> {
  if (run.databaseUrl !== undefined) return run.databaseUrl;
  const port = await freePort();
  const password = randomBytes(18).toString('base64url');
  const server = await EmbeddedPostgres.start({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password,
    port,
    settings: run.isDurable === true ? {} : TEST_SETTINGS,
    watchdog,
    onUnexpectedExit: run.onUnexpectedExit,
    onNote: run.onProgress,
  });
  cleanUp.push(() => server.stop());
  run.onProgress('Tests use a separate embedded PostgreSQL.');
  return embeddedPostgresUrl(port, password);
}

async function startRedis({ folder, watchdog, cleanUp, ...run }: Run): Promise<string | undefined> {
  if (run.redisUrl !== undefined) return run.redisUrl;
  if (!hasRedisServer()) {
    run.onProgress(
      'No redis-server on PATH: the Redis suites are skipped (with CI=true they fail).',
    );
    return undefined;
  }
  const port = await freePort();
  const password = randomBytes(18).toString('base64url');
  const server = await EmbeddedRedis.start({
    folder,
    logFile: join(folder, 'redis.log'),
    port,
    password,
    watchdog,
    onUnexpectedExit: run.onUnexpectedExit,
  });
  cleanUp.push(() => server.stop());
  run.onProgress('Tests use a separate redis-server.');
  return embeddedRedisUrl(port, password);
}
