import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';

export interface Role {
  readonly id: string;
  readonly name: string;
  /** The service that the role belongs to, shown as serviceId. */
  readonly serviceId: string | null;
  readonly serviceName: string | null;
  readonly createdAt: Date;
}

/** For a query from identity.roles as r. */
export const ROLE_COLUMNS = `r.id, r.name, r.service_id as "serviceId",
  (select s.name from identity.services as s where s.id = r.service_id) as "serviceName",
  r.created_at as "createdAt"`;

export async function insertRole(
  db: Database,
  role: Pick<Role, 'id' | 'name' | 'serviceId'>,
): Promise<Role> {
  return await queryReturning<Role>(
    db,
    `insert into identity.roles as r (id, name, service_id) values (?, ?, ?) returning ${ROLE_COLUMNS}`,
    [role.id, role.name, role.serviceId],
  );
}

/** By id, or else by name. */
export async function findRole(db: Database, reference: string): Promise<Role | undefined> {
  return await queryRow<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r
      where r.id = ? or r.name = ? order by (r.id = ?) desc limit 1`,
    [reference, reference, reference],
  );
}

/** By id alone. */
export async function findRoleById(db: Database, id: string): Promise<Role | undefined> {
  return await queryRow<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r where r.id = ?`,
    [id],
  );
}

/** A page of roles, by id. */
export interface RolePage {
  readonly name: string | undefined;
  /** The id of the role before the first one. */
  readonly after: string | undefined;
  readonly limit: number;
}

export async function listRolePage(db: Database, page: RolePage): Promise<Role[]> {
  const { name = null, after = null, limit } = page;
  return await queryRows<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r
      where (?::text is null or r.name = ?) and (?::text is null or r.id > ?) order by r.id limit ?`,
    [name, name, after, after, limit],
  );
}

export async function updateRoleName(db: Database, id: string, name: string): Promise<Role> {
  return await queryReturning<Role>(
    db,
    `update identity.roles as r set name = ? where r.id = ? returning ${ROLE_COLUMNS}`,
    [name, id],
  );
}

/** Whether a service of the catalog is shown to its holders alone. */
export async function isRoleRequired(db: Database, id: string): Promise<boolean> {
  const row = await queryRow(
    db,
    'select from identity.service_required_roles as q where q.role_id = ? limit 1',
    [id],
  );
  return row !== undefined;
}

/** Its assignments go with it. */
export async function deleteRole(db: Database, id: string): Promise<void> {
  await db.raw('delete from identity.roles as r where r.id = ?', [id]);
}

export async function listRoles(db: Database): Promise<Role[]> {
  return await queryRows<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r order by r.name`,
  );
}
