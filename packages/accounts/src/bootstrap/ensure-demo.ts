import { ServiceError } from '@zonewright/service-kit';
import type { Database } from '@zonewright/database';
import { activateService } from '../catalog/activations.js';
import { createTenant, getTenant } from '../tenants/tenants.js';
import { createUser, getUser, setUserPassword } from '../users/users.js';
import { grantRole } from '../roles/role-assignments.js';
import type { Tenant } from '../tenants/tenant-store.js';

/** Name of the tenant and of its user. */
export const DEMO_NAME = 'demo';

interface DemoOptions {
  readonly password: string;
  /** Whether an existing user gets this password, too. */
  readonly replacesPassword?: boolean;
}

/**
 * Creates a tenant with the DNS service and a user of the same name, for trying the platform. A second run adds what is
 * missing.
 */
export async function ensureDemo(db: Database, options: DemoOptions): Promise<Tenant> {
  const tenant =
    (await unlessMissing(getTenant(db, DEMO_NAME))) ??
    (await createTenant(db, { name: DEMO_NAME, description: 'To try the platform.' }));
  const user = await unlessMissing(getUser(db, DEMO_NAME));
  if (user === undefined) {
    await createUser(db, { name: DEMO_NAME, password: options.password });
  } else if (options.replacesPassword === true) {
    await setUserPassword(db, DEMO_NAME, options.password);
  }
  await activateService(db, { tenant: tenant.id, service: 'DNS' });
  for (const role of ['member', 'dns-admin']) {
    await grantRole(db, { user: DEMO_NAME, role, tenant: tenant.id });
  }
  return tenant;
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
    throw error;
  }
}
