import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';

export interface Role {
  readonly id: string;
  readonly name: string;
  /** The service that the role belongs to, shown as serviceId. */
  readonly serviceId: string | null;
  readonly serviceName: string | null;
  readonly createdAt: Date;
}

const COLUMNS = `r.id, r.name, r.service_id as "serviceId",
  (select s.name from identity.services as s where s.id = r.service_id) as "serviceName",
  r.created_at as "createdAt"`;

export async function insertRole(
  db: Database,
  role: Pick<Role, 'id' | 'name' | 'serviceId'>,
): Promise<Role> {
  return await queryReturning<Role>(
    db,
    `insert into identity.roles as r (id, name, service_id) values (?, ?, ?) returning ${COLUMNS}`,
    [role.id, role.name, role.serviceId],
  );
}

/** By id, or else by name. */
export async function findRole(db: Database, reference: string): Promise<Role | undefined> {
  return await queryRow<Role>(
    db,
    `select ${COLUMNS} from identity.roles as r
      where r.id = ? or r.name = ? order by (r.id = ?) desc limit 1`,
    [reference, reference, reference],
  );
}

export async function listRoles(db: Database): Promise<Role[]> {
  return await queryRows<Role>(db, `select ${COLUMNS} from identity.roles as r order by r.name`);
}
