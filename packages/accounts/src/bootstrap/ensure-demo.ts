import { type ErrorKind, ServiceError } from '@zonewright/service-kit';
import type { Database, Keyring } from '@zonewright/database';
import { importAccessKey } from '../access-keys/access-keys.js';
import { activateService } from '../catalog/activations.js';
import { createTenant, getTenant } from '../tenants/tenants.js';
import { createUser, getUser, setUserPassword } from '../users/users.js';
import { grantRole } from '../roles/role-assignments.js';
import type { Tenant } from '../tenants/tenant-store.js';
import type { GivenAccessKey } from './bootstrap-run.js';

/** Name of the tenant and of its user. */
export const DEMO_NAME = 'demo';

interface DemoOptions {
  readonly password: string;
  /** Access key of the user, which also signs updates (RFC 8945). */
  readonly accessKey?: GivenAccessKey | undefined;
  /** Whether an existing user also gets this password. */
  readonly replacesPassword?: boolean;
}

/**
 * Creates a tenant with the DNS service and a user of the same name, for trials of the platform. A second run adds
 * missing objects.
 */
export async function ensureDemo(
  db: Database,
  keyring: Keyring,
  options: DemoOptions,
): Promise<Tenant> {
  const tenant =
    (await unless('not-found', getTenant(db, DEMO_NAME))) ??
    (await createTenant(db, { name: DEMO_NAME, description: 'For trying out the platform.' }));
  const user = await unless('not-found', getUser(db, DEMO_NAME));
  if (user === undefined) {
    await createUser(db, { name: DEMO_NAME, password: options.password });
  } else if (options.replacesPassword === true) {
    await setUserPassword(db, DEMO_NAME, options.password);
  }
  await activateService(db, { tenant: tenant.id, service: 'DNS' });
  for (const role of ['member', 'dns-admin']) {
    await grantRole(db, { user: DEMO_NAME, role, tenant: tenant.id });
  }
  const { accessKey } = options;
  if (accessKey !== undefined) {
    const key = { ...accessKey, user: DEMO_NAME, algorithm: 'HmacSHA256' } as const;
    await unless('conflict', importAccessKey(db, keyring, key));
  }
  return tenant;
}

/** Returns undefined if the work fails with this kind of error. */
async function unless<T>(kind: ErrorKind, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === kind) return undefined;
    throw error;
  }
}
