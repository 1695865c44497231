import { type Database, orConflict } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getRole } from '../roles/roles.js';
import { chooseId, parseName } from '../shared/names.js';
import {
  deleteRequiredRolesExcept,
  deleteServiceTypesExcept,
  getService,
  insertRequiredRoles,
  insertService,
  insertServiceTypes,
  listEntriesOf,
  type Service,
  updateForNewTenants,
  updateService,
} from '../roles/service-store.js';

interface CreateServiceInput {
  readonly name: string;
  readonly id?: string | undefined;
  /** At least one type, since the catalog lists services by type. */
  readonly types: readonly string[];
  readonly isGlobal?: boolean | undefined;
  /** Ids or names of roles. */
  readonly requiredRoles?: readonly string[] | undefined;
}

/** @throws ServiceError conflict, invalid, not-found (a role) */
export async function createService(db: Database, input: CreateServiceInput): Promise<Service> {
  const service = {
    id: chooseId(input.id),
    name: parseName('the name', input.name),
    isGlobal: input.isGlobal ?? false,
  };
  const types = parseTypes(input.types);
  return await db.transaction(async (trx) => {
    const roleIds = await roleIdsOf(trx, input.requiredRoles ?? []);
    await orConflict(insertService(trx, service), {
      services_pkey: `a service with the id "${service.id}" already exists`,
      ...nameConflict(service.name),
    });
    await insertServiceTypes(trx, service.id, types);
    await insertRequiredRoles(trx, service.id, roleIds);
    return await getService(trx, service.id);
  });
}

interface ServiceChange {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly isGlobal?: boolean | undefined;
  /** Replaces all types. */
  readonly types?: readonly string[] | undefined;
  /** Replaces all required roles, ids or names; empty if no role is required. */
  readonly requiredRoles?: readonly string[] | undefined;
  readonly isForNewTenants?: boolean | undefined;
}

/**
 * Changes the given members. Roles and tenants are those of all catalog entries of the service.
 *
 * @throws ServiceError conflict, invalid, not-found
 */
export async function changeService(
  db: Database,
  reference: string,
  change: ServiceChange,
): Promise<Service> {
  return await db.transaction(async (trx) => {
    const service = await getService(trx, reference);
    const name = parseName('the name', change.name ?? service.name);
    const update = updateService(trx, {
      id: service.id,
      name,
      isGlobal: change.isGlobal ?? service.isGlobal,
      enabled: change.enabled ?? service.enabled,
    });
    await orConflict(update, nameConflict(name));
    if (change.types !== undefined) await replaceTypes(trx, service.id, parseTypes(change.types));
    const entries = await listEntriesOf(trx, await getService(trx, service.id));
    const entryIds = entries.map(({ id }) => id);
    const { requiredRoles, isForNewTenants } = change;
    if (requiredRoles !== undefined) {
      const roleIds = await roleIdsOf(trx, requiredRoles);
      for (const id of entryIds) await replaceRequiredRoles(trx, id, roleIds);
    }
    if (isForNewTenants !== undefined) await updateForNewTenants(trx, entryIds, isForNewTenants);
    return await getService(trx, service.id);
  });
}

async function replaceTypes(db: Database, serviceId: string, types: string[]): Promise<void> {
  await deleteServiceTypesExcept(db, serviceId, types);
  await insertServiceTypes(db, serviceId, types);
}

async function replaceRequiredRoles(db: Database, id: string, roleIds: string[]): Promise<void> {
  await deleteRequiredRolesExcept(db, id, roleIds);
  await insertRequiredRoles(db, id, roleIds);
}

/** Format of types that clients look for, such as `ext:dns` and `object-store`. */
const SERVICE_TYPE = /^[\w.:-]{1,64}$/;

function parseTypes(types: readonly string[]): string[] {
  if (types.length === 0) throw new ServiceError('invalid', 'a service needs at least one type');
  for (const type of types) {
    if (SERVICE_TYPE.test(type)) continue;
    throw new ServiceError(
      'invalid',
      `"${type}" is not a valid service type: use letters, digits and . : _ -`,
    );
  }
  return [...new Set(types)];
}

async function roleIdsOf(db: Database, references: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const reference of references) ids.push((await getRole(db, reference)).id);
  return ids;
}

function nameConflict(name: string): Record<string, string> {
  return { services_name_unique: `a service named "${name}" already exists` };
}
