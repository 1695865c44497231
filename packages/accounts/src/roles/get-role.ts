import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { findRole, type Role } from './role-store.js';

/** By id or name. @throws ServiceError not-found */
export async function getRole(db: Database, reference: string): Promise<Role> {
  const role = await findRole(db, reference);
  if (role === undefined) {
    throw new ServiceError('not-found', `no role has the id or name "${reference}"`);
  }
  return role;
}
