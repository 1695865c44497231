// What the identity service needs to run as in production: PostgreSQL, Redis, a bootstrapped database, a user with
// roles on a tenant. Each part of the benchmark starts the service itself, with the limits that it needs.
import { createRequire } from 'node:module';
import { Child } from '../lib/child.mjs';
import { adminCli, database, devStack, mainOf } from '../lib/packages.mjs';
import { moveToClientCore, onServiceCore, parentOf } from './pinning.mjs';

const { Redis } = createRequire(mainOf('identity-service'))('ioredis');
const { DATABASE_ROLES, withRole } = database;

/** Counted as in production, but never reached: one client asks for everybody. */
export const HIGH_LIMITS = { RATE_LIMIT_AUTHENTICATE: '100000000' };

export async function startPlatform() {
  const environment = await devStack.startTestEnvironment({
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    onProgress: (line) => console.error(line),
  });
  const cleanUp = [() => environment.stop()];
  const stop = async () => {
    while (cleanUp.length > 0) await cleanUp.pop()();
  };
  try {
    const { ZONEWRIGHT_TEST_POSTGRES_URL: postgresUrl, ZONEWRIGHT_TEST_TEMPLATE: template } =
      environment.variables;
    const redisUrl = environment.variables.ZONEWRIGHT_TEST_REDIS_URL;
    if (redisUrl === undefined) {
      throw new Error('The benchmark needs a Redis: install redis-server or set REDIS_URL.');
    }
    const { url, drop } = await database.createTestDatabase(postgresUrl, template);
    cleanUp.push(drop);
    const db = database.openDatabase({
      url,
      applicationName: 'bench',
      maxConnections: 2,
      statementTimeoutMs: 0,
    });
    cleanUp.push(() => db.destroy());
    const redis = new Redis(redisUrl);
    cleanUp.push(() => redis.disconnect());
    await pinServers(db, redis);
    const world = await prepareWorld(db);
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

/** Those that somebody else runs (DATABASE_URL, REDIS_URL) stay where they are. */
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

async function prepareWorld(db) {
  const keys = database.generateKeyringText('bench');
  const keyring = database.parseKeyring(keys);
  const { secrets } = await adminCli.bootstrap(db, keyring, {
    administratorName: 'admin',
    region: 'bench',
    identityUrl: 'http://127.0.0.1:35357',
    dnsUrl: 'http://127.0.0.1:9001',
    nameserverDomain: 'bench.example.',
    nameserverEmail: 'hostmaster@bench.example',
    nameservers: [1, 2, 3, 4, 5, 6].map((each) => ({ name: `ns1-${each}`, ipv4: '192.0.2.1' })),
  });
  const tenant = await adminCli.createTenant(db, {
    name: 'bench',
    description: 'of the benchmark',
  });
  const password = adminCli.generatePassword();
  const user = await adminCli.createUser(db, { name: 'bench', password });
  await adminCli.activateService(db, { tenant: tenant.id, service: 'DNS' });
  for (const role of ['member', 'dns-admin']) {
    await adminCli.grantRole(db, { user: 'bench', role, tenant: tenant.id });
  }
  return {
    keys,
    keyring,
    user: { id: user.id, name: 'bench', password },
    tenantId: tenant.id,
    serviceCredentials: {
      accessKey: secrets.serviceAccessKey,
      secretKey: secrets.serviceSecretKey,
    },
  };
}

/** A service on its core; `url` is where it listens, `pid` its process. */
async function startService(settings, limits) {
  const folder = process.env.BENCH_PROFILE;
  const profile = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
  const command = [process.execPath, ...profile, mainOf('identity-service')];
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

/** Seconds of CPU that the service has used so far, all threads. */
async function cpuSecondsOf(operationsUrl) {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
}

/** A token for the `auth` object of POST /v2.0/tokens. */
export async function logIn(url, auth) {
  const response = await fetch(`${url}/v2.0/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth }),
  });
  if (response.status !== 200) throw new Error(`cannot log in: ${await response.text()}`);
  return (await response.json()).access.token.id;
}
