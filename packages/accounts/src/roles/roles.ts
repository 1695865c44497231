import { type Database, orConflict } from '@zonewright/database';
import { getService } from '../services/get-service.js';
import { parseName } from '../values/parse-name.js';
import { chooseId } from '../values/choose-id.js';
import { insertRole, type Role } from './role-store.js';

interface CreateRoleInput {
  readonly name: string;
  readonly id?: string | undefined;
  /** Id or name of the service that the role belongs to, if it belongs to one. */
  readonly service?: string | undefined;
}

/** @throws ServiceError conflict, invalid, not-found (the service) */
export async function createRole(db: Database, input: CreateRoleInput): Promise<Role> {
  const role = { id: chooseId(input.id), name: parseName('the name', input.name) };
  const service = input.service === undefined ? undefined : await getService(db, input.service);
  return await orConflict(insertRole(db, { ...role, serviceId: service?.id ?? null }), {
    roles_pkey: `a role with the id "${role.id}" exists already`,
    ...roleNameConflict(role.name),
  });
}

export function roleNameConflict(name: string): Record<string, string> {
  return { roles_name_unique: `a role named "${name}" exists already` };
}
