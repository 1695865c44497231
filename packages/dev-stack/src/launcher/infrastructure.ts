import { freePort } from '@zonewright/service-kit';
import { randomBytes } from 'node:crypto';
import { SupervisedProcess } from '../embedded/keep-running.js';
import { EmbeddedPostgres, embeddedPostgresUrl } from '../embedded/postgres-server.js';
import { EmbeddedRedis, embeddedRedisUrl, hasRedisServer } from '../embedded/redis-server.js';
import { Watchdog } from '../embedded/watchdog-client.js';
import type { Cleanup } from './cleanup.js';
import type { DataFolder } from './data-folder.js';
import type { StartSettings } from '../settings/settings.js';

/** Servers that the services need. */
export interface Infrastructure {
  /** URL of a login that owns the schema. */
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** Descriptions of where the servers run. */
  readonly databaseNote: string;
  readonly redisNote: string;
}

interface InfrastructureOptions {
  readonly settings: StartSettings;
  readonly folder: DataFolder;
  readonly say: (line: string) => void;
  readonly cleanup: Cleanup;
}

/** Starts PostgreSQL and Redis, or uses those of DATABASE_URL and REDIS_URL. */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const watchdog = new Watchdog();
  options.cleanup.add(() => {
    watchdog.close();
  });
  const postgres = await startPostgres(options, watchdog);
  const redis = await startRedis(options, watchdog);
  return { ...postgres, ...redis };
}

async function startPostgres(
  { settings, folder, say, cleanup }: InfrastructureOptions,
  watchdog: Watchdog,
): Promise<Pick<Infrastructure, 'databaseUrl' | 'databaseNote'>> {
  if (settings.databaseUrl !== undefined) {
    return { databaseUrl: settings.databaseUrl, databaseNote: 'as set in DATABASE_URL' };
  }
  say('Starting PostgreSQL ...');
  const port = await freePort();
  const { postgresPassword: password } = folder.readSecrets();
  const kept = await SupervisedProcess.start({
    name: 'PostgreSQL',
    start: (onUnexpectedExit) =>
      EmbeddedPostgres.start({
        folder: folder.file('postgres'),
        logFile: folder.logFile('postgres'),
        port,
        password,
        watchdog,
        onUnexpectedExit,
        onNote: say,
      }),
    onNote: say,
  });
  cleanup.add(() => kept.stop());
  return {
    databaseUrl: embeddedPostgresUrl(port, password),
    databaseNote: `embedded, 127.0.0.1:${port}`,
  };
}

async function startRedis(
  { settings, folder, say, cleanup }: InfrastructureOptions,
  watchdog: Watchdog,
): Promise<Pick<Infrastructure, 'redisUrl' | 'redisNote'>> {
  if (settings.redisUrl !== undefined) {
    return { redisUrl: settings.redisUrl, redisNote: 'as set in REDIS_URL' };
  }
  if (!hasRedisServer()) {
    const redisNote =
      'none on this machine; PostgreSQL stores token states, and limits apply per process';
    say(`Redis: ${redisNote}.`);
    return { redisUrl: undefined, redisNote };
  }
  const port = await freePort();
  const password = randomBytes(18).toString('base64url');
  const kept = await SupervisedProcess.start({
    name: 'Redis',
    start: (onUnexpectedExit) =>
      EmbeddedRedis.start({
        folder: folder.path,
        logFile: folder.logFile('redis'),
        port,
        password,
        watchdog,
        onUnexpectedExit,
      }),
    onNote: say,
  });
  cleanup.add(() => kept.stop());
  return {
    redisUrl: embeddedRedisUrl(port, password),
    redisNote: `private redis-server, 127.0.0.1:${port}`,
  };
}
