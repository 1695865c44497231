import { changeService } from '../catalog/services.js';
import { createRole } from '../roles/roles.js';
import {
  DNS_CLOUD_ADMIN_ROLE,
  DNS_OPERATOR_ROLE,
  DNS_ROLE,
  IDENTITY_ROLES,
} from '../roles/built-in-roles.js';
import { findRole } from '../roles/role-store.js';
import type { BootstrapRun } from './bootstrap-run.js';
import type { BootstrapCatalog } from './ensure-catalog.js';

/** The roles, each belonging to the service that asks for it (Identity API s2: a role's serviceId). */
export async function ensureRoles(run: BootstrapRun, catalog: BootstrapCatalog): Promise<void> {
  for (const name of IDENTITY_ROLES) await ensureRole(run, name, catalog.identityServiceId);
  await ensureRole(run, DNS_OPERATOR_ROLE, catalog.dnsServiceId);
  await ensureRole(run, DNS_CLOUD_ADMIN_ROLE, catalog.dnsServiceId);
  if (await ensureRole(run, DNS_ROLE, catalog.dnsServiceId)) {
    // Only together with the role: an operator may since have opened the service to others.
    await changeService(run.db, catalog.dnsServiceId, { requiredRoles: [DNS_ROLE] });
  }
}

/** @returns whether it was missing. */
export async function ensureRole(
  run: BootstrapRun,
  name: string,
  service: string,
): Promise<boolean> {
  if ((await findRole(run.db, name)) !== undefined) return false;
  await createRole(run.db, { name, service });
  run.created.push(`role ${name}`);
  return true;
}
