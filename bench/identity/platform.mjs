// Starts what the identity service needs to run as in production: PostgreSQL, Redis, a bootstrapped database, and a
// user with roles on a tenant. Each part of the benchmark starts the service itself with its own limits.
import { createRequire } from 'node:module';
import { startBenchStores } from '../lib/bench-database.mjs';
import { Child, profileOptions } from '../lib/child.mjs';
import { database, mainOf } from '../lib/packages.mjs';
import { prepareTenant } from '../lib/tenant.mjs';
import { moveToClientCore, onServiceCore, parentOf } from './pinning.mjs';

const { Redis } = createRequire(mainOf('identity-service'))('ioredis');
const { DATABASE_ROLES, withRole } = database;

/** Limits that are counted as in production but never reached, since one client sends all requests. */
export const HIGH_LIMITS = { RATE_LIMIT_AUTHENTICATE: '100000000' };

export async function startPlatform() {
  const { url, db, redisUrl, cleanUp, stop } = await startBenchStores({ maxConnections: 2 });
  try {
    const redis = new Redis(redisUrl);
    cleanUp.push(() => redis.disconnect());
    await pinServers(db, redis);
    const world = await prepareTenant(db);
    const settings = {
      DATABASE_URL: withRole(url, DATABASE_ROLES.identityService),
      REDIS_URL: redisUrl,
      ENCRYPTION_KEYS: world.keys,
      IDENTITY_HOST: '127.0.0.1',
      IDENTITY_PORT: '0',
      IDENTITY_OPERATIONS_PORT: '0',
    };
    return { db, redis, ...world, stop, startService: (limits) => startService(settings, limits) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Servers that run elsewhere (DATABASE_URL, REDIS_URL) are not moved. */
async function pinServers(db, redis) {
  if (!process.env.DATABASE_URL) {
    const { rows } = await db.raw('select pg_backend_pid() as pid');
    moveToClientCore(parentOf(rows[0].pid));
    moveToClientCore(rows[0].pid);
  }
  if (!process.env.REDIS_URL) {
    moveToClientCore(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);
  }
}

/** Starts a service on its core. `url` is its address, `pid` its process id. */
async function startService(settings, limits) {
  const command = [process.execPath, ...profileOptions(), mainOf('identity-service')];
  const child = await Child.start(onServiceCore(command), { ...settings, ...limits });
  const { http, operations } = child.ready.addresses;
  await waitUntilReady(operations);
  return { url: http, cpuSeconds: () => cpuSecondsOf(operations), stop: () => child.stop() };
}

async function waitUntilReady(operationsUrl) {
  const deadline = Date.now() + 10_000;
  while (!(await fetch(`${operationsUrl}/readyz`)).ok) {
    if (Date.now() > deadline) throw new Error('the service did not become ready');
  }
}

/** Returns the CPU seconds of all threads of the service so far. */
async function cpuSecondsOf(operationsUrl) {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
}
