import { type Database, hasTable, queryRows } from '@zonewright/database';

/** The tags of these tenants, in alphabetical order; of the others there is nothing in the map. */
export async function listTags(
  db: Database,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!(await hasTable(db, 'identity.project_tags'))) return new Map();
  const rows = await queryRows<{ tenantId: string; tags: string[] }>(
    db,
    `select t.tenant_id as "tenantId", jsonb_agg(t.tag order by t.tag) as tags
       from identity.project_tags as t where t.tenant_id = any(?::text[]) group by t.tenant_id`,
    [tenantIds],
  );
  return new Map(rows.map(({ tenantId, tags }) => [tenantId, tags]));
}

/** Gives a tenant these tags and no other. */
export async function replaceTags(
  trx: Database,
  tenantId: string,
  tags: readonly string[],
): Promise<void> {
  await trx.raw('delete from identity.project_tags as t where t.tenant_id = ?', [tenantId]);
  if (tags.length === 0) return;
  await queryRows(
    trx,
    `insert into identity.project_tags (tenant_id, tag)
     select ?, g.tag from unnest(?::text[]) as g (tag)`,
    [tenantId, tags],
  );
}
