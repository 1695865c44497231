// Starts everything that a DNS API needs to run as in production: PostgreSQL, Redis, and one tenant. The identity
// service validates each token; dns-api caches its responses while Redis announces revocations.
import { startBenchStores } from '../lib/bench-database.mjs';
import { Child, profileOptions } from '../lib/child.mjs';
import { database, mainOf } from '../lib/packages.mjs';
import { logIn, prepareTenant } from '../lib/tenant.mjs';
import { onServiceCore, pinDatabase } from './pinning.mjs';

const { DATABASE_ROLES, withRole } = database;
const UNLIMITED = 100_000_000;

/** `isPinned`: whether the service has one core to itself and PostgreSQL another. `env`: environment of the service. */
export async function startPlatform({ isPinned = true, isDurable = false, env = {} } = {}) {
  const { url, db, redisUrl, cleanUp, stop } = await startBenchStores({
    maxConnections: 4,
    isDurable,
  });
  try {
    if (isPinned && process.env.DATABASE_URL === undefined) {
      const { rows } = await db.raw('select pg_backend_pid() as pid');
      pinDatabase(rows[0].pid);
    }
    const tenant = await prepareTenant(db);
    await liftQuota(db, tenant);
    const identity = await startIdentity(url, redisUrl, tenant);
    cleanUp.push(() => identity.stop());
    const identityUrl = identity.ready.addresses.http;
    const apiEnvironment = dnsApiEnvironment({ url, redisUrl, identityUrl, tenant });
    const api = await Child.start(
      isPinned
        ? onServiceCore(mainOf('dns-api'), profileOptions())
        : [process.execPath, ...profileOptions(), mainOf('dns-api')],
      { ...apiEnvironment, ...env },
    );
    cleanUp.push(() => api.stop());
    const { user, tenantId } = tenant;
    const token = await logIn(identityUrl, {
      passwordCredentials: { username: user.name, password: user.password },
      tenantId,
    });
    const apiUrl = new URL(api.ready.addresses.http);
    return {
      db,
      url,
      apiUrl,
      apiEnvironment,
      identityUrl,
      identityPid: identity.pid,
      serviceCredentials: tenant.serviceCredentials,
      nameserverCredentials: tenant.nameserverCredentials,
      token,
      tenantId,
      apiPid: api.pid,
      operationsUrl: api.ready.addresses.operations,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function liftQuota(db, { tenantId }) {
  await db.raw(
    'insert into dns.quotas (tenant_id, max_domains, max_domain_records) values (?, ?, ?)',
    [tenantId, UNLIMITED, UNLIMITED],
  );
}

async function startIdentity(url, redisUrl, { keys }) {
  return await Child.start([process.execPath, ...profileOptions(), mainOf('identity-service')], {
    DATABASE_URL: withRole(url, DATABASE_ROLES.identityService),
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: keys,
    IDENTITY_HOST: '127.0.0.1',
    IDENTITY_PORT: '0',
    IDENTITY_OPERATIONS_PORT: '0',
    RATE_LIMITS: 'false',
  });
}

function dnsApiEnvironment({ url, redisUrl, identityUrl, tenant }) {
  return {
    DATABASE_URL: withRole(url, DATABASE_ROLES.dnsApi),
    REDIS_URL: redisUrl,
    DNS_API_HOST: '127.0.0.1',
    DNS_API_PORT: '0',
    DNS_API_OPERATIONS_PORT: '0',
    IDENTITY_URL: identityUrl,
    DNS_API_SERVICE_ACCESS_KEY: tenant.serviceCredentials.accessKey,
    DNS_API_SERVICE_SECRET_KEY: tenant.serviceCredentials.secretKey,
  };
}
