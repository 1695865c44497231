// Everything that a DNS API needs to run as in production: PostgreSQL, Redis, an identity service that is asked for
// each token (and whose answers dns-api remembers while Redis carries revocations), and one tenant.
import { Child } from '../lib/child.mjs';
import { adminCli, database, devStack, mainOf } from '../lib/packages.mjs';
import { onServiceCore, pinDatabase } from './pinning.mjs';

const { DATABASE_ROLES, withRole } = database;
const UNLIMITED = 100_000_000;

/** `isPinned`: the service has one core to itself, PostgreSQL another. */
export async function startPlatform({ isPinned = true } = {}) {
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
      maxConnections: 4,
      statementTimeoutMs: 0,
    });
    cleanUp.push(() => db.destroy());
    if (isPinned && process.env.DATABASE_URL === undefined) {
      const { rows } = await db.raw('select pg_backend_pid() as pid');
      pinDatabase(rows[0].pid);
    }
    const secrets = await prepareTenant(db);
    const identity = await startIdentity(url, redisUrl, secrets);
    cleanUp.push(() => identity.stop());
    const identityUrl = identity.ready.addresses.http;
    const apiEnvironment = dnsApiEnvironment({ url, redisUrl, identityUrl, secrets });
    const api = await Child.start(
      isPinned
        ? onServiceCore(mainOf('dns-api'), profileOptions())
        : [process.execPath, ...profileOptions(), mainOf('dns-api')],
      apiEnvironment,
    );
    cleanUp.push(() => api.stop());
    const token = await logIn(identityUrl, secrets);
    const apiUrl = new URL(api.ready.addresses.http);
    return {
      db,
      url,
      apiUrl,
      apiEnvironment,
      token,
      tenantId: secrets.tenantId,
      apiPid: api.pid,
      operationsUrl: api.ready.addresses.operations,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareTenant(db) {
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
  await adminCli.createUser(db, { name: 'bench', password });
  await adminCli.activateService(db, { tenant: tenant.id, service: 'DNS' });
  for (const role of ['member', 'dns-admin']) {
    await adminCli.grantRole(db, { user: 'bench', role, tenant: tenant.id });
  }
  await db.raw(
    'insert into dns.quotas (tenant_id, max_domains, max_domain_records) values (?, ?, ?)',
    [tenant.id, UNLIMITED, UNLIMITED],
  );
  return { keys, password, tenantId: tenant.id, ...secrets };
}

async function startIdentity(url, redisUrl, { keys }) {
  return await Child.start([process.execPath, mainOf('identity-service')], {
    DATABASE_URL: withRole(url, DATABASE_ROLES.identityService),
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: keys,
    IDENTITY_HOST: '127.0.0.1',
    IDENTITY_PORT: '0',
    IDENTITY_OPERATIONS_PORT: '0',
    RATE_LIMITS: 'false',
  });
}

function dnsApiEnvironment({ url, redisUrl, identityUrl, secrets }) {
  return {
    DATABASE_URL: withRole(url, DATABASE_ROLES.dnsApi),
    REDIS_URL: redisUrl,
    DNS_API_HOST: '127.0.0.1',
    DNS_API_PORT: '0',
    DNS_API_OPERATIONS_PORT: '0',
    IDENTITY_URL: identityUrl,
    DNS_API_SERVICE_ACCESS_KEY: secrets.serviceAccessKey,
    DNS_API_SERVICE_SECRET_KEY: secrets.serviceSecretKey,
  };
}

async function logIn(identityUrl, { password, tenantId }) {
  const response = await fetch(`${identityUrl}/v2.0/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      auth: { passwordCredentials: { username: 'bench', password }, tenantId },
    }),
  });
  if (response.status !== 200) throw new Error(`cannot log in: ${await response.text()}`);
  return (await response.json()).access.token.id;
}

/** BENCH_PROFILE=folder leaves a CPU profile of the service there. */
function profileOptions() {
  const folder = process.env.BENCH_PROFILE;
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}
