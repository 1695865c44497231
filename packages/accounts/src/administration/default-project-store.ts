import { type Database, hasTable, queryRows } from '@zonewright/database';

/** Which tenant is the usual one of these users; of those without one there is nothing in the map. */
export async function listDefaultProjects(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!(await hasTable(db, 'identity.default_projects'))) return new Map();
  const rows = await queryRows<{ userId: string; tenantId: string }>(
    db,
    `select p.user_id as "userId", p.tenant_id as "tenantId" from identity.default_projects as p
      where p.user_id = any(?::text[])`,
    [userIds],
  );
  return new Map(rows.map(({ userId, tenantId }) => [userId, tenantId]));
}

export async function upsertDefaultProject(
  trx: Database,
  userId: string,
  tenantId: string,
): Promise<void> {
  await queryRows(
    trx,
    `insert into identity.default_projects (user_id, tenant_id) values (?, ?)
     on conflict (user_id) do update set tenant_id = excluded.tenant_id`,
    [userId, tenantId],
  );
}

export async function deleteDefaultProject(trx: Database, userId: string): Promise<void> {
  await trx.raw('delete from identity.default_projects as p where p.user_id = ?', [userId]);
}
