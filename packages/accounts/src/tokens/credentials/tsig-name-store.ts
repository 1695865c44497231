import { type Database, queryRows } from '@zonewright/database';

/** The id of the one active access key that has this id in some letter case; undefined: there is none, or more than one. */
export async function findAccessKeyIdOfTsig(
  db: Database,
  lowerId: string,
): Promise<string | undefined> {
  const rows = await queryRows<{ id: string }>(
    db,
    `select keys.id from identity.access_keys as keys where lower(keys.id) = ? and keys.status = 'active' limit 2`,
    [lowerId],
  );
  return rows.length === 1 ? rows[0]?.id : undefined;
}
